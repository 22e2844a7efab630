# The CUDA runtime (a toolkit where there is one), and the CCCL headers that libcudf was built with.
find_package(Threads REQUIRED)
find_package(CUDAToolkit QUIET)
add_library(mooring_cudart INTERFACE)
if(CUDAToolkit_FOUND)
  target_link_libraries(mooring_cudart INTERFACE CUDA::cudart_static)
else()
  mooring_pip_package(nvidia-cuda-runtime 13.0.96 runtime)
  mooring_pip_package(nvidia-cuda-crt 13.0.88 crt)
  target_include_directories(mooring_cudart SYSTEM INTERFACE ${runtime}/nvidia/cu13/include
                                                             ${crt}/nvidia/cu13/include)
  target_link_libraries(
    mooring_cudart INTERFACE ${runtime}/nvidia/cu13/lib/libcudart_static.a Threads::Threads dl rt)
endif()

# libmooring.so: pool and transfers; loads anywhere. libmooring_cudf.so: registers the pool with
# libcudf; loads only beside it.
set(MOORING_JAVA_HOME "$ENV{JAVA_HOME}" CACHE PATH "The JDK whose jni.h is used")
find_program(MOORING_JAVAC javac)
file(REAL_PATH "${MOORING_JAVAC}" javac)
cmake_path(GET javac PARENT_PATH java_bin)
find_path(MOORING_JNI_INCLUDE jni.h HINTS ${MOORING_JAVA_HOME}/include ${java_bin}/../include
                                          REQUIRED)
add_library(mooring_jni_headers INTERFACE)
target_include_directories(mooring_jni_headers SYSTEM
                           INTERFACE ${MOORING_JNI_INCLUDE} ${MOORING_JNI_INCLUDE}/linux
                                     ${MOORING_JNI_HEADERS})

add_library(mooring SHARED jni/pool_jni.cpp jni/transfer_jni.cpp
                           jni/exit_jni.cpp jni/file_jni.cpp jni/hardware_queues.cpp)
target_include_directories(mooring PRIVATE src)
target_link_libraries(mooring PRIVATE -Wl,--whole-archive mooring_core -Wl,--no-whole-archive
                                      mooring_jni_headers)
set_target_properties(mooring PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${MOORING_LIB_DIR})
target_link_options(mooring PRIVATE -Wl,--exclude-libs,libcudart_static.a)

# The headers of the CCCL that libcudf 26.08 was built with: another one has other symbol names.
mooring_pip_package(librmm-cu13 26.8.0 rmm)
# Stands in for the 500 MB library when linking; at run time the real one is already loaded.
add_library(cudf_stub SHARED cudf/stub.cpp)
set_target_properties(cudf_stub PROPERTIES OUTPUT_NAME cudf CXX_VISIBILITY_PRESET default)

add_library(mooring_cudf SHARED cudf/pinned_memory_resource.cpp cudf/registration_jni.cpp)
target_include_directories(mooring_cudf BEFORE PRIVATE include src jni)
target_include_directories(mooring_cudf SYSTEM BEFORE PRIVATE ${rmm}/librmm/include/rapids
                                                              ${rmm}/librmm/include)
target_include_directories(cudf_stub SYSTEM BEFORE PRIVATE ${rmm}/librmm/include/rapids)
target_link_libraries(cudf_stub PRIVATE mooring_cudart)
target_link_libraries(mooring_cudf PRIVATE mooring_options mooring mooring_jni_headers cudf_stub
                                           mooring_cudart)
target_link_options(mooring_cudf PRIVATE -Wl,--no-as-needed)
set_target_properties(mooring_cudf PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${MOORING_LIB_DIR}
                                              SKIP_BUILD_RPATH ON)

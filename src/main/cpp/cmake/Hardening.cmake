# How all of our code is compiled and linked. Paths are mapped away, so that the bytes of a library
# do not depend on where it was built.
target_compile_options(
  mooring_options
  INTERFACE -fstack-protector-strong -Wformat -Wformat-security -Werror=format-security
            -ffile-prefix-map=${PROJECT_SOURCE_DIR}=. -ffile-prefix-map=${PROJECT_BINARY_DIR}=build)
# Some compilers define it by themselves, which makes a second definition an error.
target_compile_options(mooring_options
                       INTERFACE "$<$<CONFIG:Release>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
target_link_options(mooring_options INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack)
# libcudf and threads that end call into the libraries until the process is gone.
target_link_options(mooring_options INTERFACE $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,SHARED_LIBRARY>:-Wl,-z,nodelete>)

# A test that the linked library is what the options ask for.
function(mooring_check_hardening library)
  add_test(
    NAME hardening_of_${library}
    COMMAND ${CMAKE_COMMAND} -DLIBRARY=$<TARGET_FILE:${library}> -DREADELF=${CMAKE_READELF}
            "-DFOLDERS=${PROJECT_SOURCE_DIR};${PROJECT_BINARY_DIR}" -P
            ${PROJECT_SOURCE_DIR}/cmake/CheckHardening.cmake)
endfunction()

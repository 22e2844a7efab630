# Fetches a Python package with pip and unpacks it: headers and libraries for builds without a
# CUDA toolkit. pip's own settings (index, PIP_FIND_LINKS, PIP_NO_INDEX) apply.
function(mooring_pip_package name version out_dir)
  set(dir ${CMAKE_BINARY_DIR}/pip/${name}-${version})
  if(NOT EXISTS ${dir}/.done)
    message(STATUS "Fetching ${name} ${version} with pip")
    execute_process(
      COMMAND python3 -m pip download --quiet --disable-pip-version-check --no-deps
              --only-binary=:all: --dest ${dir}/wheel ${name}==${version}
      RESULT_VARIABLE failed)
    if(failed)
      message(FATAL_ERROR "pip could not fetch ${name}==${version}")
    endif()
    file(GLOB wheel ${dir}/wheel/*.whl)
    file(ARCHIVE_EXTRACT INPUT ${wheel} DESTINATION ${dir}/content)
    file(TOUCH ${dir}/.done)
  endif()
  set(${out_dir} ${dir}/content PARENT_SCOPE)
endfunction()

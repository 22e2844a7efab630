# cmake -DLIBRARY=FILE -DREADELF=PROGRAM -DFOLDERS=A;B -P CheckHardening.cmake
# Fails unless the library is linked as mooring_options asks, has no fault of tests in it, and names no
# folder of its build: two builds in two places give the same bytes.
execute_process(COMMAND ${READELF} --wide --program-headers --dynamic --syms ${LIBRARY}
                OUTPUT_VARIABLE elf COMMAND_ERROR_IS_FATAL ANY)

function(expect what pattern)
  if(NOT elf MATCHES "${pattern}")
    message(SEND_ERROR "${LIBRARY}: ${what} is missing")
  endif()
endfunction()

function(refuse what pattern)
  if(elf MATCHES "${pattern}")
    message(SEND_ERROR "${LIBRARY}: ${what}: ${CMAKE_MATCH_0}")
  endif()
endfunction()

expect("a part that is read-only after relocation (-z relro)" "GNU_RELRO")
expect("binding at load (-z now)" "BIND_NOW|Flags:[^\n]* NOW")
expect("staying loaded (-z nodelete)" "NODELETE")
expect("a stack that is not executable (-z noexecstack)" "GNU_STACK +0x0+ 0x0+ 0x0+ 0x0+ 0x0+ RW +0x")
expect("the stack protector" "__stack_chk_fail")
refuse("segment that can be written and executed" "LOAD [^\n]* RWE [^\n]*")
refuse("relocations in code" "\\(TEXTREL\\)")
refuse("seam of the tests" "[^ \n]*(fault_point|faults|FaultJni|trace_record)[^\n]*")
refuse("search path of the build" "\\((RPATH|RUNPATH)\\)[^\n]*")
foreach(folder ${FOLDERS})
  string(REGEX REPLACE "([][+.*()^$?|\\\\])" "\\\\\\1" escaped "${folder}/")
  file(STRINGS ${LIBRARY} named REGEX "${escaped}")
  if(named)
    message(SEND_ERROR "${LIBRARY}: it names the folder of its build: ${named}")
  endif()
endforeach()

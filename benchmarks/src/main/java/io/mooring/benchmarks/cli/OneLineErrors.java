package io.mooring.benchmarks.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says what is wrong in one line, names the nearest option, and keeps stack traces for bugs. */
public final class OneLineErrors implements IParameterExceptionHandler, IExecutionExceptionHandler {

  @Override
  public int handleParseException(ParameterException ex, String[] args) {
    CommandLine command = ex.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("error: " + ex.getMessage());
    UnmatchedArgumentException.printSuggestions(ex, err);
    err.println("See: " + command.getCommandSpec().qualifiedName() + " --help");
    err.flush();
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  @Override
  public int handleExecutionException(Exception ex, CommandLine command, ParseResult parsed)
      throws Exception {
    if (ex instanceof UserError error) {
      command.getErr().println("error: " + error.getMessage());
      command.getErr().flush();
      return error.exitCode();
    }
    throw ex;
  }
}

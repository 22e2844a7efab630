package io.mooring.benchmarks;

import io.mooring.benchmarks.cli.UserError;
import io.mooring.benchmarks.compare.CompareCommand;
import io.mooring.benchmarks.numa.NumaCommand;
import io.mooring.benchmarks.overlap.OverlapCommand;
import io.mooring.benchmarks.p2p.PeerCommand;
import io.mooring.benchmarks.pipeline.PipelineCommand;
import io.mooring.benchmarks.pool.PoolCommand;
import io.mooring.benchmarks.report.chart.ChartCommand;
import io.mooring.benchmarks.report.page.ReportCommand;
import io.mooring.benchmarks.scan.ScanCommand;
import io.mooring.benchmarks.transfer.TransferCommand;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** The entry point: one subcommand per question that the harness answers. */
@Command(
    name = "./benchmarks/run",
    description = "Measures what the pinned pool is worth on this machine.",
    mixinStandardHelpOptions = true,
    version = "mooring-benchmarks 0.1.0-SNAPSHOT",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ScanCommand.class,
      PipelineCommand.class,
      PoolCommand.class,
      TransferCommand.class,
      OverlapCommand.class,
      NumaCommand.class,
      PeerCommand.class,
      CompareCommand.class,
      ReportCommand.class,
      ChartCommand.class,
      CommandLine.HelpCommand.class
    })
public final class Benchmarks implements Runnable {

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  /**
   * Runs the command that the arguments name; exits 0 on success, 1 on a failed run, 2 on misuse.
   */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** The whole command line, for {@link #main} and for tests. */
  public static CommandLine commandLine() {
    OneLineErrors errors = new OneLineErrors();
    return new CommandLine(new Benchmarks())
        .setParameterExceptionHandler(errors)
        .setExecutionExceptionHandler(errors);
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(spec.commandLine(), "Missing command");
  }

  /** Says what is wrong in one line, names the nearest option, and keeps stack traces for bugs. */
  private static final class OneLineErrors
      implements IParameterExceptionHandler, IExecutionExceptionHandler {

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
}

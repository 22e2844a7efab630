package io.mooring.benchmarks.process;

/** A process did not answer as it should; the message is one line for the reader of a report. */
public abstract sealed class ProcessException extends RuntimeException {

  private ProcessException(String message) {
    super(message);
  }

  /** A request failed; the process answers further requests. */
  public static final class Failed extends ProcessException {

    private final String reason;

    /**
     * Creates it.
     *
     * @param process name of the process
     * @param reason what the process said
     */
    public Failed(String process, String reason) {
      super(process + ": " + reason);
      this.reason = reason;
    }

    /** What the process said, without its name. */
    public String reason() {
      return reason;
    }
  }

  /** This machine lacks what the process needs: a note in the report, no failure. */
  public static final class Unavailable extends ProcessException {
    /** Creates it with the whole message. */
    public Unavailable(String message) {
      super(message);
    }
  }

  /** The process has ended, or did not start; it answers no further request. */
  public static final class Lost extends ProcessException {
    /** Creates it with the whole message. */
    public Lost(String message) {
      super(message);
    }
  }
}

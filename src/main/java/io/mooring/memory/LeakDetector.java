package io.mooring.memory;

import java.lang.ref.Cleaner;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports buffers that were lost without being closed, with the place that allocated them. Costs a
 * stack trace for each buffer: for finding a leak, not for every day. Thread-safe.
 */
final class LeakDetector {
  private static final Logger LOG = LoggerFactory.getLogger(LeakDetector.class);
  private static final Cleaner CLEANER = Cleaner.create();

  private static final Set<String> OWN =
      Set.of(LeakDetector.class.getName(), HostMemory.class.getName());

  private record Site(long serial, long bytes, Throwable allocated) {}

  private final Map<Long, Site> open = new ConcurrentHashMap<>();
  private final AtomicLong serials = new AtomicLong();
  private final AtomicLong leaks = new AtomicLong();

  void opened(HostBuffer buffer, long address, long bytes) {
    Site site = new Site(serials.incrementAndGet(), bytes, new Throwable("allocated here"));
    open.put(address, site);
    CLEANER.register(buffer, () -> reportIfOpen(address, site));
  }

  void closed(long address) {
    open.remove(address);
  }

  /** Buffers lost so far. */
  long leaks() {
    return leaks.get();
  }

  private void reportIfOpen(long address, Site site) {
    // The same address may be open again for another buffer.
    if (open.remove(address, site)) {
      leaks.incrementAndGet();
      LOG.error(
          "A host buffer of {} bytes that {} allocated was never closed",
          site.bytes(),
          caller(site.allocated()),
          site.allocated());
    }
  }

  /** The first frame outside the classes that every allocation goes through. */
  private static String caller(Throwable allocated) {
    for (StackTraceElement frame : allocated.getStackTrace()) {
      if (!OWN.contains(frame.getClassName())) {
        return frame.toString();
      }
    }
    return "an unknown caller";
  }
}

package io.mooring.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.mooring.conf.ExecutorMemory;
import io.mooring.conf.ExecutorMemory.SparkShare;
import io.mooring.conf.MooringConf;
import io.mooring.jni.FaultJni;
import io.mooring.jni.FaultJni.Point;
import io.mooring.jni.NativeLibrary;
import io.mooring.jni.TransferJni;
import java.util.List;
import java.util.Map;

/** A device that is lost when it is first used; nothing touches one before. */
final class LostDevice {
  private static final int NO_DEVICE = -1;
  private static final int LAUNCH_FAILURE = 719;

  private LostDevice() {}

  /** Starts the GPU of this process, once, with all but the device. */
  static GpuRuntime start(Map<String, String> settings) {
    assertThat(NativeLibrary.load()).as(NativeLibrary.problem()).isTrue();
    FaultJni.failFrom(Point.SET_DEVICE, 1, LAUNCH_FAILURE);
    MooringConf conf = MooringConf.from(settings);
    return GpuRuntime.start(conf, () -> withPoolAlone(conf));
  }

  private static GpuStart.Result withPoolAlone(MooringConf conf) {
    PoolStart pool = new PoolStart(conf, ExecutorMemory.ofThisProcess(SparkShare.NONE, 1));
    pool.start(List.of(NO_DEVICE));
    StartedDevice device = new StartedDevice(0, "GPU 0", 1L << 30, TransferJni.PER_THREAD_STREAM);
    return new GpuStart.Result(List.of(device), pool);
  }
}

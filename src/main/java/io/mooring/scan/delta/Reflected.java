package io.mooring.scan.delta;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.apache.spark.util.Utils;
import org.jspecify.annotations.Nullable;

/** Calls of Delta's methods, which are found by their names and the number of their arguments. */
final class Reflected {
  private Reflected() {}

  static Object call(Object target, String method, Object... arguments) {
    return invoke(method(target.getClass(), method, arguments.length), target, arguments);
  }

  static Object callStatic(String type, String method, Object... arguments) {
    return invoke(method(load(type), method, arguments.length), null, arguments);
  }

  /** An object of a class with but one constructor. */
  static Object create(String type, Object... arguments) {
    try {
      return load(type).getConstructors()[0].newInstance(arguments);
    } catch (InvocationTargetException e) {
      throw thrown(e);
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      throw unknown(type, e);
    }
  }

  private static Class<?> load(String type) {
    return Utils.classForName(type, true, false);
  }

  private static Method method(Class<?> type, String name, int arguments) {
    return Arrays.stream(type.getMethods())
        .filter(it -> it.getName().equals(name) && it.getParameterCount() == arguments)
        .findFirst()
        .orElseThrow(() -> unknown(type.getName() + "." + name, null));
  }

  private static Object invoke(Method method, @Nullable Object target, Object... arguments) {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw thrown(e);
    } catch (IllegalAccessException | IllegalArgumentException e) {
      throw unknown(method.toString(), e);
    }
  }

  private static RuntimeException thrown(InvocationTargetException e) {
    if (e.getCause() instanceof Error error) {
      throw error;
    }
    return e.getCause() instanceof RuntimeException cause
        ? cause
        : new IllegalStateException("Delta Lake failed: " + e.getCause(), e.getCause());
  }

  private static IllegalStateException unknown(String what, @Nullable Exception cause) {
    return new IllegalStateException("this version of Delta Lake has another " + what, cause);
  }
}

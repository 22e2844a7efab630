package io.mooring.scan.library;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.apache.spark.util.Utils;
import org.jspecify.annotations.Nullable;

/**
 * A library that need not be there. Its methods are found by their names and arguments, its
 * constructors by the number of arguments, whatever their visibility. Immutable and thread-safe.
 *
 * @param name as messages show it
 */
public record Library(String name) {
  private static final ClassValue<Map<String, List<Method>>> METHODS =
      new ClassValue<>() {
        @Override
        protected Map<String, List<Method>> computeValue(Class<?> type) {
          return new ConcurrentHashMap<>();
        }
      };

  /**
   * Calls a method that returns something.
   *
   * @throws UnknownVersionException when this version of the library has no such method
   */
  public Object call(Object target, String method, @Nullable Object... arguments) {
    return Objects.requireNonNull(get(target, method, arguments), method);
  }

  /** Calls a method that may return null, and otherwise is as {@link #call}. */
  public @Nullable Object get(Object target, String method, @Nullable Object... arguments) {
    return invoke(method(target.getClass(), method, arguments), target, arguments);
  }

  /** Calls a method that returns something, and throws as it does. */
  public Object callThrowing(Object target, String method, Object... arguments) throws Exception {
    try {
      return Objects.requireNonNull(
          method(target.getClass(), method, arguments).invoke(target, arguments), method);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  /** Whether there is a method of that name and with that number of parameters. */
  public boolean has(Object target, String method, int parameters) {
    return !methods(target.getClass(), method, parameters).isEmpty();
  }

  /** Calls a static method, and otherwise is as {@link #call}. */
  public Object callStatic(String type, String method, Object... arguments) {
    Method found = method(load(type), method, arguments);
    return Objects.requireNonNull(invoke(found, null, arguments), method);
  }

  /** Makes an object by the constructor with that number of parameters. */
  public Object create(String type, Object... arguments) {
    return create(load(type), arguments);
  }

  /** Finds a method of a class that is loaded. */
  public Object create(Class<?> type, @Nullable Object... arguments) {
    Constructor<?> constructor =
        Arrays.stream(type.getDeclaredConstructors())
            .filter(it -> it.getParameterCount() == arguments.length)
            .findFirst()
            .orElseThrow(() -> unknown(type.getName(), null));
    try {
      return open(constructor).newInstance(arguments);
    } catch (InvocationTargetException e) {
      throw thrown(e);
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      throw unknown(type.getName(), e);
    }
  }

  /** An array of a type of the library. */
  public Object[] array(String type, List<?> elements) {
    return elements.toArray((Object[]) Array.newInstance(load(type), 0));
  }

  private static Class<?> load(String type) {
    return Utils.classForName(type, true, false);
  }

  private Method method(Class<?> type, String name, @Nullable Object... arguments) {
    return methods(type, name, arguments.length).stream()
        .filter(it -> takes(it, arguments))
        .findFirst()
        .orElseThrow(() -> unknown(type.getName() + "." + name, null));
  }

  private static boolean takes(Method method, @Nullable Object... arguments) {
    Class<?>[] types = method.getParameterTypes();
    return IntStream.range(0, types.length)
        .allMatch(
            i ->
                types[i].isPrimitive()
                    || arguments[i] == null
                    || types[i].isInstance(arguments[i]));
  }

  private static List<Method> methods(Class<?> type, String name, int parameters) {
    return METHODS
        .get(type)
        .computeIfAbsent(name + "/" + parameters, key -> found(type, name, parameters));
  }

  /** Public ones first, also those of interfaces. */
  private static List<Method> found(Class<?> type, String name, int parameters) {
    List<Method> all = new ArrayList<>(Arrays.asList(type.getMethods()));
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      all.addAll(Arrays.asList(at.getDeclaredMethods()));
    }
    return all.stream()
        .filter(it -> it.getName().equals(name) && it.getParameterCount() == parameters)
        .map(Library::open)
        .toList();
  }

  /** Classes of libraries may be visible in their package alone, with public methods. */
  private static <T extends AccessibleObject> T open(T member) {
    member.setAccessible(true);
    return member;
  }

  private @Nullable Object invoke(
      Method method, @Nullable Object target, @Nullable Object... arguments) {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw thrown(e);
    } catch (IllegalAccessException | IllegalArgumentException e) {
      throw unknown(method.toString(), e);
    }
  }

  private RuntimeException thrown(InvocationTargetException e) {
    if (e.getCause() instanceof Error error) {
      throw error;
    }
    return e.getCause() instanceof RuntimeException cause
        ? cause
        : new IllegalStateException(name + " failed: " + e.getCause(), e.getCause());
  }

  private UnknownVersionException unknown(String what, @Nullable Exception cause) {
    return new UnknownVersionException("this version of " + name + " has another " + what, cause);
  }
}

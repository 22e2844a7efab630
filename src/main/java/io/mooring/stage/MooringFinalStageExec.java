package io.mooring.stage;

import io.mooring.catalyst.LazyValue;
import io.mooring.catalyst.ScalaLists;
import io.mooring.metrics.StageNode;
import io.mooring.stage.program.FinalStageChain;
import io.mooring.stage.program.JoinSides;
import io.mooring.stage.program.StageProgram;
import io.mooring.stage.program.SubqueryResults;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.execution.joins.BroadcastHashJoinExec;
import org.apache.spark.sql.execution.joins.HashedRelation;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A final aggregate and the operators above it on the GPU, where one task merges all groups. The
 * children are the stages that make the partial groups, several for a union, and then the build
 * sides of the joins.
 */
public final class MooringFinalStageExec extends StageExec {
  private static final long serialVersionUID = 1;

  // Executors get the node without them.
  private final transient LazyValue<FinalStageMetrics> metrics =
      new LazyValue<>(() -> FinalStageMetrics.create(sparkContext()));

  /**
   * A node that replaces a chain of operators; null when one of them is not supported, or no stage
   * makes the groups.
   */
  public static @Nullable MooringFinalStageExec of(FinalStageChain chain) {
    List<SparkPlan> stages = GroupInputs.of(chain.groups());
    if (!stages.stream().allMatch(MooringFinalStageExec::givesGroups)) {
      return null;
    }
    SparkPlan operators = chain.over(GroupInputs.with(chain.groups(), stages));
    List<SparkPlan> buildSides = BuildSides.of(operators);
    List<SparkPlan> inputs = new ArrayList<>(stages);
    inputs.addAll(buildSides);
    SparkPlan replaced = BuildSides.with(operators, buildSides);
    MooringFinalStageExec stage =
        new MooringFinalStageExec(
            replaced, SubqueryExpressions.of(replaced), ScalaLists.seq(inputs));
    return stage.chain().program(SubqueryResults.EXPECTED) == null ? null : stage;
  }

  private static boolean givesGroups(SparkPlan node) {
    return node instanceof MooringStageExec stage && stage.replaced() instanceof BaseAggregateExec;
  }

  /**
   * Spark copies the node by this.
   *
   * @param replaced the operators as planned, over nodes that execute the groups
   * @param subqueryHolders see {@link StageExec}
   * @param inputs the stages that make the groups, then the nodes that execute the broadcasts of
   *     the joins, bottom first
   */
  public MooringFinalStageExec(
      SparkPlan replaced, Seq<Expression> subqueryHolders, Seq<SparkPlan> inputs) {
    super(
        over(
            chain(SubqueryExpressions.with(replaced, subqueryHolders)),
            CollectionConverters.asJava(inputs)),
        subqueryHolders,
        inputs);
  }

  private static SparkPlan over(FinalStageChain chain, List<SparkPlan> inputs) {
    int stages = GroupInputs.of(chain.groups()).size();
    return BuildSides.with(
        chain.over(GroupInputs.with(chain.groups(), inputs.subList(0, stages))),
        inputs.subList(stages, inputs.size()));
  }

  private static FinalStageChain chain(SparkPlan replaced) {
    return Objects.requireNonNull(
        FinalStageChain.over(replaced, GroupInputs::areInputs), "The stage is over no groups");
  }

  private FinalStageChain chain() {
    return chain(replaced());
  }

  @Override
  public SparkPlan withNewChildrenInternal(IndexedSeq<SparkPlan> children) {
    return new MooringFinalStageExec(replaced(), subqueryHolders(), children.toList());
  }

  @Override
  public SparkPlan doCanonicalize() {
    return overStages().canonicalized();
  }

  @Override
  public scala.collection.immutable.Map<String, SQLMetric> metrics() {
    return metrics.get().all();
  }

  @Override
  public RDD<InternalRow> doExecute() {
    RDD<InternalRow> bySpark = bySpark().execute();
    if (bySpark.getNumPartitions() != 1) {
      // No task sees all rows of a group.
      return bySpark;
    }
    RDD<InternalRow> rows = new OneTaskRdd(bySpark);
    StageProgram program = chain().program(SubqueryResults.KNOWN);
    List<RDD<InternalRow>> groups = stages().stream().map(SparkPlan::execute).toList();
    return program != null && groups.stream().allMatch(StageRdd.class::isInstance)
        ? new FinalStageRdd(
            rows,
            GroupStages.of(groups.stream().map(StageRdd.class::cast).toList()),
            program,
            broadcasts(),
            fullJoinSides(),
            metrics.get())
        : rows;
  }

  /** The stages that make the groups. */
  private List<SparkPlan> stages() {
    return inputs().subList(0, GroupInputs.of(chain().groups()).size());
  }

  /** The operators over the stages themselves. */
  private SparkPlan overStages() {
    FinalStageChain chain = chain();
    return chain.over(GroupInputs.of(chain.groups(), stages()));
  }

  private List<Broadcast<HashedRelation>> broadcasts() {
    return BuildSides.broadcasts(buildSides(BroadcastHashJoinExec.class::isInstance));
  }

  private List<RDD<InternalRow>> fullJoinSides() {
    return buildSides(JoinSides::isFullOuter).stream().map(SparkPlan::execute).toList();
  }

  /** The nodes that execute the build sides of some of the joins, bottom first. */
  private List<SparkPlan> buildSides(Predicate<SparkPlan> ofJoin) {
    List<SparkPlan> joins = chain().operators().stream().filter(JoinSides::isJoin).toList();
    int stages = stages().size();
    return IntStream.range(0, joins.size())
        .filter(i -> ofJoin.test(joins.get(i)))
        .mapToObj(i -> inputs().get(stages + i))
        .toList();
  }

  @Override
  public String nodeName() {
    return StageNode.FINAL_STAGE.label();
  }

  @Override
  protected Object[] arguments() {
    return new Object[] {replaced(), subqueryHolders(), children()};
  }

  @Override
  protected List<Object> shown() {
    return List.of();
  }

  @Override
  public String simpleString(int maxFields) {
    return chain().operators().stream()
        .map(SparkPlan::nodeName)
        .collect(
            Collectors.joining(", ", nodeName() + " [", "] over the groups of " + shownStages()));
  }

  private String shownStages() {
    int stages = stages().size();
    return stages == 1 ? "a stage" : stages + " stages";
  }

  @Override
  boolean isSame(Object other) {
    return other instanceof MooringFinalStageExec stage && overStages().equals(stage.overStages());
  }
}

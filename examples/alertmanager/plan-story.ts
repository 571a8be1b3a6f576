import { flag, type Stage, switchPayments, tellFiring, tellResolved } from './alert.ts';
import { Customers, customerCount } from './customers.ts';
import { activeMilestone, addPlan, type Plan, type PlanEvent, planEvents, planOf } from './plan.ts';
import { clock } from './report.ts';
import { switchOn } from './setup.ts';
import { requestsSeen } from './watch.ts';

interface Repair {
  /** The number of purchases before the repair. */
  readonly before: number;
  /** When the plan started its milestone anew. */
  readonly anewAt: Date;
}

/** Releases the broken checkout by a plan and reports what happens until all customers have the repaired checkout. */
export async function playPlan(stage: Stage): Promise<void> {
  const customers = new Customers(stage.shop.url);
  try {
    stage.report.heading('The new checkout is released gradually, and it is broken');
    await releaseBroken(stage, customers);
    stage.report.heading('It is mended, and the alert is over');
    const repair = await mend(stage, customers);
    stage.report.heading('The plan goes on by itself');
    await complete(stage, customers, repair);
    stage.report.heading('The events of the plan');
    for (const event of await planEvents(stage.admin, flag)) tellPlanEvent(stage, event);
  } finally {
    await customers.leave();
  }
}

/** Starts from a shop with the old checkout; ends when an alert has halted the plan. */
async function releaseBroken(stage: Stage, customers: Customers): Promise<void> {
  const { scene, report, admin, shop, prometheus } = stage;
  const bought = await scene.until('a purchase', () => customers.first({ path: 'old', ok: true }, 0));
  report.tell({ step: 'healthy', at: bought.at, text: 'Customers get the old checkout' });
  // The rate in the alert rule needs a first sample in which the count is zero.
  await scene.until('Prometheus to scrape the shop', () => requestsSeen(prometheus.url, flag));
  await switchPayments(shop, 'down');
  report.tell({ step: 'broken', text: 'The payment provider of the new checkout is down, before the release begins' });

  const before = customers.count;
  const { createdAt } = await addPlan(admin, flag);
  const added = `A release plan is added: ${flag} for 10 % of the users for a minute, then for 100 %`;
  report.tell({ step: 'plan-added', at: new Date(createdAt), text: added });
  await switchOn(admin, flag);
  const plan = await planOf(admin, flag);
  report.tell({ step: 'plan-started', text: `${flag} is on: ${course(plan)}`, more: progressOf(plan) });

  await tellFiring(stage);
  const { plan: held, event } = await planAfter(stage, 'held', 'release-plan-progressions-paused');
  const waitsFor = held.progress.waitsFor.map((gate) => gate.text).join(', ');
  const text = `The plan is held at ${activeMilestone(held)}: ${event.data.reason} Once it is released: ${waitsFor}`;
  const more = { ...progressOf(held), reason: event.data.reason };
  report.tell({ step: 'plan-held', at: new Date(event.createdAt), text, more });

  const saved = await scene.until('a customer to recover', () => customers.recovery(before));
  const total = customers.count - before;
  const recovered = `Customers get the old checkout, and it works; ${customers.failures(before)} of ${total} purchases have failed`;
  report.tell({ step: 'recovered', at: saved.at, text: recovered });
}

/** Repairs the checkout; ends when the plan has started its milestone anew. */
async function mend(stage: Stage, customers: Customers): Promise<Repair> {
  const { scene, report, shop } = stage;
  const before = customers.count;
  await switchPayments(shop, 'up');
  report.tell({ step: 'mended', text: 'The payment provider is back' });
  await tellResolved(stage);
  const { plan, event } = await planAfter(stage, 'running', 'release-plan-progressions-resumed');
  const text = `The plan starts its milestone anew: ${course(plan)}`;
  report.tell({ step: 'plan-anew', at: new Date(event.createdAt), text, more: progressOf(plan) });
  const again = await scene.until('a purchase by the new checkout', () =>
    customers.first({ path: 'new', ok: true }, before),
  );
  report.tell({ step: 'back', at: again.at, text: 'Customers get the new checkout again' });
  return { before, anewAt: new Date(event.createdAt) };
}

/** Waits until the plan has completed and all customers get the new checkout. */
async function complete(stage: Stage, customers: Customers, { before, anewAt }: Repair): Promise<void> {
  const { scene, report, admin } = stage;
  const { plan, event } = await planAfter(stage, 'completed', 'release-plan-milestone-started');
  const startedAt = new Date(event.createdAt);
  const percent = customers.newPercent(anewAt, startedAt);
  report.tell({
    step: 'plan-completed',
    at: startedAt,
    text: `The plan starts ${activeMilestone(plan)} by itself, after a minute with ${percent.toFixed(1)} % of the purchases by the new checkout`,
    more: { ...progressOf(plan), trigger: event.data.trigger, percent },
  });

  const last = await scene.until('everyone to get the new checkout', () => customers.everyoneHasNew());
  const failures = customers.failures(before);
  const everyone = `All ${customerCount} customers get the new checkout; ${failures} purchases have failed since it was mended`;
  report.tell({
    step: 'everyone',
    at: last.at,
    text: everyone,
    more: { failures, ...progressOf(await planOf(admin, flag)) },
  });
}

/** Returns the plan when it is in this state and its latest event of the type is that of the served milestone. */
async function planAfter(
  { scene, admin }: Stage,
  state: Plan['progress']['state'],
  type: string,
): Promise<{ plan: Plan; event: PlanEvent }> {
  return await scene.until(`the plan to be ${state}`, async () => {
    const plan = await planOf(admin, flag);
    if (plan.progress.state !== state) return undefined;
    const event = (await planEvents(admin, flag)).findLast((each) => each.type === type);
    return event?.data.milestoneName === activeMilestone(plan) ? { plan, event } : undefined;
  });
}

/** Returns which milestone of the plan is served, and when the next one is due. */
function course(plan: Plan): string {
  const { nextAt } = plan.progress;
  const next = plan.milestones.at(-1)?.name;
  return `${activeMilestone(plan)} now, ${next} ${nextAt === null ? 'later' : `at ${clock(new Date(nextAt))}`}`;
}

/** Returns the state of the plan for programs to read. */
function progressOf(plan: Plan) {
  const { state, nextAt, waitsFor } = plan.progress;
  return { milestone: activeMilestone(plan), state, nextAt, waitsFor };
}

function tellPlanEvent({ report }: Stage, event: PlanEvent): void {
  const { id, type, label, createdBy, createdAt, cause, data } = event;
  const { milestoneName, trigger, reason } = data;
  const at = milestoneName === undefined ? '' : `: ${milestoneName}`;
  const by = trigger === undefined ? '' : `, trigger: ${trigger}`;
  const run = cause.runId === null ? '' : ` in run ${cause.runId}`;
  const why = reason ? `\n              ${reason}` : '';
  const text = `${label}${at}${by} (${type}) by ${createdBy}${run}${why}`;
  const more = { id, type, createdBy, ...cause, milestone: milestoneName, trigger, reason };
  report.tell({ step: 'event', at: new Date(createdAt), text, more });
}

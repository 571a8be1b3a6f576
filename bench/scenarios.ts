import type { Scenario } from './scenario.ts';
import { actions } from './scenarios/actions.ts';
import { calibration } from './scenarios/calibration.ts';
import { clientDelta } from './scenarios/client-delta.ts';
import { clientFeatures } from './scenarios/client-features.ts';
import { disk } from './scenarios/disk.ts';
import { eventFeed } from './scenarios/event-feed.ts';
import { eventLog } from './scenarios/event-log.ts';
import { eventOrigin } from './scenarios/event-origin.ts';
import { eventReadsOfTenMillion } from './scenarios/event-reads-of-ten-million.ts';
import { firingAlerts } from './scenarios/firing-alerts.ts';
import { frontendEvaluation } from './scenarios/frontend-evaluation.ts';
import { growth } from './scenarios/growth.ts';
import { lists } from './scenarios/lists.ts';
import { memory } from './scenarios/memory.ts';
import { mutations } from './scenarios/mutations.ts';
import { propagation } from './scenarios/propagation.ts';
import { releasePlans } from './scenarios/release-plans.ts';
import { signalCosts } from './scenarios/signal-costs.ts';
import { signals } from './scenarios/signals.ts';
import { soak, soakHour } from './scenarios/soak.ts';
import { stalls } from './scenarios/stalls.ts';
import { start } from './scenarios/start.ts';
import { streams } from './scenarios/streams.ts';
import { waysIn } from './scenarios/ways-in.ts';

/** All scenarios, in the order in which they are run. */
export const scenarios: readonly Scenario[] = [
  disk,
  calibration,
  start,
  signals,
  signalCosts,
  propagation,
  actions,
  releasePlans,
  firingAlerts,
  streams,
  clientFeatures,
  clientDelta,
  frontendEvaluation,
  mutations,
  lists,
  eventLog,
  eventFeed,
  eventOrigin,
  stalls,
  memory,
  soak,
  soakHour,
  growth,
  eventReadsOfTenMillion,
  waysIn,
];

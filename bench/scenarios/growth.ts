import { createInstallation, type Installation } from '../installation.ts';
import type { Scenario } from '../scenario.ts';
import { seedEvents } from '../seed/events.ts';
import { seedFlags, seedProject } from '../seed/flags.ts';
import { seedSignals } from '../seed/signals.ts';
import { readEvents } from './event-reads.ts';
import { streamEvents } from './event-stream.ts';
import { compareRoutes } from './growth-routes.ts';
import { createSender } from './signal-sender.ts';
import { startAndIdle, startFindings } from './start.ts';

/** Combines several measurements, because filling a database with a million events takes most of the time of each. */
export const growth: Scenario = {
  name: 'growth',
  title: 'starting, reading events and other routes at 1,000,000 events and signals and 10,000 flags',
  engines: ['sqlite', 'postgres'],
  async run(context) {
    const sizes = context.smoke
      ? { small: { events: 900, flags: 10 }, large: { events: 3000, flags: 100 } }
      : { small: { events: 1000, flags: 10 }, large: { events: 1_000_000, flags: 10_000 } };
    await using small = await createInstallation(context);
    await using large = await createInstallation(context);
    context.say('filling two databases');
    await fill(small, sizes.small);
    await fill(large, sizes.large);
    const { readyAfterMs, rssBytes } = await startAndIdle(context, large);
    await using smallServer = await small.start();
    await using largeServer = await large.start();
    return [
      ...startFindings(`${sizes.large.events} events`, [readyAfterMs], rssBytes),
      ...(await readEvents(context, largeServer, large.adminToken, sizes.large.events)),
      ...(await streamEvents(context, largeServer, large.adminToken)),
      ...(await compareRoutes(
        context,
        { installation: small, server: smallServer, events: sizes.small.events },
        { installation: large, server: largeServer, events: sizes.large.events },
      )),
    ];
  },
};

/** Fills an installation. Ten of the flags are in a project of their own, with one event in twenty. */
async function fill(installation: Installation, size: { readonly events: number; readonly flags: number }) {
  const server = await installation.start();
  await createSender(server, installation.adminToken);
  await server.stop();
  await seedProject(installation, 'small');
  await seedFlags(installation, { count: 10, project: 'small', prefix: 'small-' });
  await seedFlags(installation, { count: size.flags - 10, project: 'default', prefix: 'flag-' });
  await seedEvents(installation, { count: size.events, flags: size.flags, smallProject: 'small' });
  await seedSignals(installation, size.events);
}

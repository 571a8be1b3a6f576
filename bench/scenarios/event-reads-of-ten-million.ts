import { createInstallation } from '../installation.ts';
import type { Scenario } from '../scenario.ts';
import { seedEvents } from '../seed/events.ts';
import { seedProject } from '../seed/flags.ts';
import { readEvents } from './event-reads.ts';
import { startAndIdle, startFindings } from './start.ts';

/**
 * Measures reading the events of a large organization after several years. Filling the database takes most of an hour.
 */
export const eventReadsOfTenMillion: Scenario = {
  name: 'events-10m',
  title: 'starting and reading events at 10,000,000 events',
  engines: ['sqlite', 'postgres'],
  onlyByName: true,
  async run(context) {
    const events = context.smoke ? 3000 : 10_000_000;
    await using installation = await createInstallation(context);
    await (await installation.start()).stop();
    await seedProject(installation, 'small');
    context.say('filling the database');
    await seedEvents(installation, { count: events, flags: 10_000, smallProject: 'small' });
    const { readyAfterMs, rssBytes } = await startAndIdle(context, installation);
    await using server = await installation.start();
    return [
      ...startFindings(`${events} events`, [readyAfterMs], rssBytes),
      ...(await readEvents(context, server, installation.adminToken, events)),
    ];
  },
};

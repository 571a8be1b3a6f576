import { z } from 'zod';
import type { JobKind } from '#jobs/runner.ts';

/** The payload of the job that a command adds; the server records the event when it next looks for jobs. */
const payload = z.object({
  file: z.string(),
  rows: z.number().int(),
  /** The account of the operating system that ran the command. */
  user: z.string(),
  /** The name of the machine on which the command ran. */
  host: z.string(),
  at: z.string(),
});

export type OperatorAction = z.infer<typeof payload>;

/** The jobs that record backups and restores, by the event type that they record. */
export const operatorJobs: readonly JobKind[] = (['backup-made', 'database-restored'] as const).map((type) => ({
  kind: type,
  records: true,
  run: async (tx, job) => {
    tx.record({ type, data: payload.parse(job) });
    return undefined;
  },
}));

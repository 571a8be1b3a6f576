import { z } from 'zod';
import { filledText } from './text.ts';

/** The position of a pull in the event log. */
export const pulled = z
  .strictObject({
    event: z.number().int().min(0).meta({ description: 'The newest event of the log at the pull' }),
    epoch: filledText(100).meta({ description: 'The epoch of that log' }),
  })
  .optional()
  .meta({
    description:
      'Where the event log was when the state was pulled. Applying the state does not switch on what was switched off since',
  });

/** Who switches flags: with `people`, a state leaves out whether a flag is on. */
export const switchedBy = z.enum(['files', 'people']).optional();

interface Switches {
  readonly projects?: Readonly<Record<string, SwitchesOfProject>> | undefined;
}

interface SwitchesOfProject {
  readonly switchedBy?: z.output<typeof switchedBy>;
  readonly flags?: Readonly<Record<string, SwitchesOfFlag>> | undefined;
}

interface SwitchesOfFlag {
  readonly switchedBy?: z.output<typeof switchedBy>;
  readonly environments?: Readonly<Record<string, { readonly enabled?: boolean | undefined }>> | undefined;
}

/** Adds an issue for each flag that people switch, and of which the state says whether it is on. */
export function refuseSwitchesOfPeople({ projects = {} }: Switches, context: z.RefinementCtx): void {
  for (const [id, { flags = {}, switchedBy: ofProject }] of Object.entries(projects))
    for (const [name, { environments = {}, switchedBy = ofProject }] of Object.entries(flags))
      for (const [environment, { enabled }] of Object.entries(environments))
        if (switchedBy === 'people' && enabled !== undefined)
          context.addIssue({
            code: 'custom',
            path: ['projects', id, 'flags', name, 'environments', environment, 'enabled'],
            message: 'must be left out: people switch this flag (switchedBy)',
          });
}

import { z } from 'zod';
import { dateTime, id, line } from './scalars.ts';

/** A role: of type `root` or `root-custom` for the whole instance, of type `project` or `custom` in projects. */
export const roleSchema = z.object({
  id,
  type: z.string(),
  name: z.string(),
  description: z.string(),
  project: z.null(),
});

/** A root role by its id or its name (docs/spec#users). */
export const rootRoleReference = z.union([id, line.min(1).max(100)], {
  error: 'must be the id or the name of a root role, such as Viewer',
});

/**
 * A user or a service account. Accounts without a database row, such as an admin token, have a negative id.
 * `name`, `email` and `username` are absent, not null, when the account has none: clients of Unleash expect strings.
 */
export const userSchema = z.object({
  id: z.number().int(),
  isAPI: z.boolean(),
  name: z.string().optional(),
  email: z.string().optional(),
  username: z.string().optional(),
  loginAttempts: z.number().int().min(0),
  rootRole: id,
  seenAt: dateTime.nullable(),
  createdAt: dateTime,
  accountType: z.enum(['User', 'Service Account']),
  imageUrl: z.string().meta({ description: 'Always empty: the service does not request pictures from third parties' }),
  scimId: z.null(),
  seatType: z.null(),
  companyRole: z.null(),
  productUpdatesEmailConsent: z.null(),
});

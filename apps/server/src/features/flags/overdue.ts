import { type Condition, sql } from '../../storage/tx.ts';
import { featureTypes } from './feature-type.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Whether a row of `features`, under the name `table`, is older than flags of its type are expected to become. */
export function overdue(table: string, now: number): Condition {
  const types = featureTypes.flatMap(({ id, lifetimeDays }) =>
    lifetimeDays === null
      ? []
      : [
          sql<boolean>`(${sql.ref(`${table}.type`)} = ${id}
            and ${sql.ref(`${table}.created_at`)} < ${now - lifetimeDays * dayMs})`,
        ],
  );
  return sql<boolean>`(${sql.join(types, sql` or `)})`;
}

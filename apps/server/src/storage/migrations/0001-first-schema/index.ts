import type { MigrationStatements } from '../dialect.ts';
import { access } from './access.ts';
import { actions } from './actions.ts';
import { applications } from './applications.ts';
import { changeRequests } from './change-requests.ts';
import { contextFields } from './context-fields.ts';
import { defaultStrategies } from './default-strategies.ts';
import { events } from './events.ts';
import { flagExtras } from './flag-extras.ts';
import { flags } from './flags.ts';
import { holds } from './holds.ts';
import { integrations } from './integrations.ts';
import { interfaceState } from './interface-state.ts';
import { login } from './login.ts';
import { projects } from './projects.ts';
import { segments } from './segments.ts';
import { signals } from './signals.ts';
import { strategyTypes } from './strategy-types.ts';
import { system } from './system.ts';
import { tags } from './tags.ts';

/** Parts of the schema, each after the parts whose tables it refers to. */
const parts: readonly MigrationStatements[] = [
  events,
  signals,
  projects,
  flags,
  access,
  system,
  segments,
  contextFields,
  tags,
  flagExtras,
  strategyTypes,
  login,
  changeRequests,
  interfaceState,
  defaultStrategies,
  applications,
  integrations,
  actions,
  holds,
];

/** Creates all tables, with the rows every installation begins with. */
export const firstSchema: MigrationStatements = (dialect) => parts.flatMap((part) => part(dialect));

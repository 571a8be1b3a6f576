import type { Selectable } from 'kysely';
import type { AccessTables } from './tables/access.ts';
import type { ActionTables } from './tables/actions.ts';
import type { ChangeRequestTables } from './tables/change-requests.ts';
import type { ContextFieldTables } from './tables/context-fields.ts';
import type { DefaultStrategyTables } from './tables/default-strategies.ts';
import type { DeliveryTables } from './tables/deliveries.ts';
import type { EventTables } from './tables/events.ts';
import type { FlagExtraTables } from './tables/flag-extras.ts';
import type { FlagTables } from './tables/flags.ts';
import type { HoldTables } from './tables/holds.ts';
import type { ImpactMetricTables } from './tables/impact-metrics.ts';
import type { IncidentTables } from './tables/incidents.ts';
import type { IntegrationTables } from './tables/integrations.ts';
import type { InterfaceStateTables } from './tables/interface-state.ts';
import type { ReleasePlanTables } from './tables/release-plans.ts';
import type { SdkTables } from './tables/sdk.ts';
import type { SegmentTables } from './tables/segments.ts';
import type { SignalTables } from './tables/signals.ts';
import type { SystemTables } from './tables/system.ts';

/** All tables. Times are milliseconds UTC, booleans are 1 and 0, JSON is text that only the application parses. */
export interface Tables
  extends EventTables,
    SignalTables,
    FlagTables,
    DefaultStrategyTables,
    SegmentTables,
    ContextFieldTables,
    FlagExtraTables,
    HoldTables,
    ReleasePlanTables,
    ChangeRequestTables,
    AccessTables,
    SdkTables,
    ImpactMetricTables,
    InterfaceStateTables,
    IntegrationTables,
    DeliveryTables,
    ActionTables,
    IncidentTables,
    SystemTables {}

/** A row of a table, as a select of all columns returns it. */
export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>;

import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { nowQuery } from '../../entities/holds/now-queries.ts';
import { useEachNewer } from '../../lib/activity.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { titleOf } from '../../ui/navigation.ts';
import { Page } from '../../ui/page.tsx';
import { FreezeButton } from '../actions/index.ts';
import { FirstSteps } from '../first-steps/index.ts';
import { OwnFlagsAndProjects } from '../personal-dashboard/index.ts';
import { AlertsWithoutEffect } from './alerts-without-effect.tsx';
import { Requests, Trouble } from './attention.tsx';
import { HeldFlags } from './held-flags.tsx';
import { LastHour } from './last-hour.tsx';
import { LoopPassed } from './loop.tsx';
import { Overrides } from './overrides.tsx';
import { ReleasePlans } from './release-plans.tsx';
import { Summary } from './summary.tsx';
import { UndecidedHolds } from './undecided-holds.tsx';

/** The state of automation and what waits for the user, with the user's flags and projects below. */
export function NowPage() {
  const now = useQuery(nowQuery);
  useEachNewer(['events', 'signals', 'runs'], now.refetch);
  return (
    <Page
      title={titleOf('/personal')}
      guide="guides/on-call"
      description="What automation does now, and what waits for you."
      actions={<FreezeButton />}
    >
      <Stack gap="lg">
        <Loaded query={now}>
          {(data) => (
            <Stack gap="lg">
              <LoopPassed loop={data.loop} />
              <Summary now={data} />
              <UndecidedHolds now={data} />
              <HeldFlags holds={data.holds} total={data.holdsTotal} />
              <Overrides overrides={data.overrides} />
              <AlertsWithoutEffect alerts={data.alertsWithoutEffect} total={data.alertsWithoutEffectTotal ?? 0} />
              <Trouble now={data} />
              <Requests now={data} />
              <ReleasePlans />
              <LastHour moments={data.lastHour} />
            </Stack>
          )}
        </Loaded>
        <FirstSteps />
        <OwnFlagsAndProjects />
      </Stack>
    </Page>
  );
}

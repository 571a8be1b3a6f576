import type { ReactNode } from 'react';
import { ButtonLink } from '../../ui/link.tsx';
import type { Progress } from './first-steps-query.ts';

/** A step of a new installation. */
export interface Step {
  readonly title: string;
  readonly why: string;
  readonly done: boolean;
  /** The link to the page of the step; it stands out when the step is the next one. */
  readonly link: (isNext: boolean) => ReactNode;
}

const look = (isNext: boolean) => ({ variant: isNext ? 'filled' : 'light', size: 'xs' }) as const;

/** Returns the first steps in order, each done when the server has seen it happen. */
export function stepsOf({ flag, applicationConnected, signalReceived, actionRan }: Progress): readonly Step[] {
  return [
    {
      title: 'Create a feature flag',
      why: 'It is created in the project “Default” and is off at first.',
      done: flag !== null,
      link: (isNext) => (
        <ButtonLink to="/projects/$projectId/create-flag" params={{ projectId: 'default' }} {...look(isNext)}>
          Create a flag
        </ButtonLink>
      ),
    },
    {
      title: 'Connect an application',
      why: 'Copy a program that asks for the flag, in your language, and see its first request arrive.',
      done: applicationConnected,
      link: (isNext) =>
        flag !== null && (
          <ButtonLink
            to="/projects/$projectId/features/$featureName/connect"
            params={{ projectId: flag.project, featureName: flag.name }}
            {...look(isNext)}
          >
            Connect your application
          </ButtonLink>
        ),
    },
    {
      title: 'Receive a signal',
      why: 'Alerts are sent to a signal endpoint. Try it with a sample of your alerting system.',
      done: signalReceived,
      link: (isNext) => (
        <ButtonLink to="/first-alert" search={searchOf(flag)} {...look(isNext)}>
          Send a test signal
        </ButtonLink>
      ),
    },
    {
      title: 'Let an alert switch a flag',
      why: 'An action holds the flag off while the alert fires, and gives it back when it is resolved.',
      done: actionRan,
      link: (isNext) => (
        <ButtonLink to="/first-alert" search={searchOf(flag)} {...look(isNext)}>
          Make an action
        </ButtonLink>
      ),
    },
  ];
}

function searchOf(flag: Progress['flag']) {
  return flag === null ? {} : { project: flag.project, flag: flag.name };
}

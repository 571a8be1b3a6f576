import { Breadcrumbs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { TextLink } from '../../ui/link.tsx';
import { projectOverviewQuery } from './flag-queries.ts';

interface Props {
  readonly projectId: string;
  /** The items after the project. */
  readonly children?: ReactNode;
}

/** The breadcrumbs of a page in a project. */
export function ProjectCrumbs({ projectId, children }: Props) {
  const { data: project } = useQuery(projectOverviewQuery(projectId));
  return (
    <Breadcrumbs style={{ flexWrap: 'wrap', rowGap: 4 }}>
      <TextLink to="/projects" size="sm">
        Projects
      </TextLink>
      <TextLink to="/projects/$projectId" params={{ projectId }} size="sm">
        {project?.name ?? projectId}
      </TextLink>
      {children}
    </Breadcrumbs>
  );
}

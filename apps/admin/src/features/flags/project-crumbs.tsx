import { Breadcrumbs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { TextLink } from '../../ui/link.tsx';
import { projectOverviewQuery } from './flag-queries.ts';

interface Props {
  readonly projectId: string;
  /** What is further down, from the project on. */
  readonly children?: ReactNode;
}

/** Where a page of a project stands: the projects, the project by its name, and what is below it. */
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

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useMatches } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { projectOverviewQuery } from '../../entities/flags/flag-queries.ts';
import { ApiError } from '../../lib/api.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';

/** Renders the page, or an error when its project does not exist or is not visible to the user. */
export function ProjectGate({ children }: { readonly children: ReactNode }) {
  const projectId = useMatches({ select: projectIn });
  const { error, data } = useQuery({ ...projectOverviewQuery(projectId ?? ''), enabled: projectId !== undefined });
  const isMissing = data === undefined && error instanceof ApiError && error.status === 404;
  if (projectId === undefined || !isMissing) return children;
  return (
    <Page title="Project not found">
      <EmptyState
        title={`The project ${projectId} was not found, or is not visible to you`}
        action={
          <Button component={Link} to="/projects">
            Go to the projects
          </Button>
        }
      >
        It may have been deleted, or be private. Ask a member of the project or an administrator for access.
      </EmptyState>
    </Page>
  );
}

function projectIn(matches: readonly { readonly params: object }[]): string | undefined {
  const { projectId } = (matches.at(-1)?.params ?? {}) as { readonly projectId?: string };
  return projectId;
}

import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page } from '../ui/page.tsx';

/** The page for an unknown address. */
export function NotFound() {
  return (
    <Page title="Not found">
      <EmptyState
        title="This page does not exist"
        action={
          <Button component={Link} to="/projects">
            Go to the projects
          </Button>
        }
      >
        It may have been deleted or renamed, or belong to a project that you have no access to.
      </EmptyState>
    </Page>
  );
}

import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../ui/empty-state.tsx';
import { Page } from '../ui/page.tsx';

/** What an address shows that there is nothing at. */
export function NotFound() {
  return (
    <Page title="Not found">
      <EmptyState
        title="There is nothing at this address"
        action={
          <Button component={Link} to="/projects">
            Go to the projects
          </Button>
        }
      >
        It may have been deleted or renamed, or be in a project that you cannot see.
      </EmptyState>
    </Page>
  );
}

import { Alert, Button, Card, Grid, Group, Stack, Text, Title } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Dialog } from '../../ui/over-page.tsx';
import { VariantShares } from '../variants/variant-shares.tsx';
import { shareOut } from '../variants/weights.ts';
import { type StrategyDraft, strategyBodyOf } from './draft.ts';
import { strategyInWords } from './in-words.ts';
import { SaveButtons, type SavedStrategy, useSave } from './saving.tsx';
import { StrategyForm, type StrategyKnowledge } from './strategy-form.tsx';

interface Props extends SavedStrategy {
  readonly initial: StrategyDraft;
  readonly known: StrategyKnowledge;
}

/** Makes or edits a strategy. What was typed stays whatever happens, and leaving without saving is asked about. */
export function StrategyEditor(props: Props) {
  const { strategyId, change, initial, known } = props;
  const [draft, setDraft] = useState(initial);
  const { problems, refusal, pending, save } = useSave(props);
  const left = useRef(false);
  const form = useRef<HTMLDivElement>(null);
  const dirty = draft !== initial;
  const blocker = useBlocker({
    shouldBlockFn: () => dirty && !left.current,
    enableBeforeUnload: () => dirty && !left.current,
    withResolver: true,
  });
  useEffect(() => {
    if (Object.keys(problems).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);
  return (
    <Grid gap="lg" ref={form}>
      <Grid.Col span={{ base: 12, lg: 8.5 }}>
        <StrategyForm
          draft={draft}
          isNew={strategyId === undefined}
          known={known}
          problems={problems}
          onChange={setDraft}
        />
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 3.5 }}>
        <Stack pos="sticky" top={80}>
          <InWords draft={draft} known={known} />
          {refusal !== undefined && (
            <Alert color="red" role="alert" title="This could not be saved">
              {refusal}
            </Alert>
          )}
          {change !== undefined && change.state !== 'Draft' && (
            <Text size="sm" c="dimmed">
              Approvals that were given are taken back: it is another change then.
            </Text>
          )}
          <Group gap="sm">
            <SaveButtons
              {...props}
              saving={pending}
              onSave={(directly) =>
                save(draft, directly, () => {
                  left.current = true;
                })
              }
            />
          </Group>
        </Stack>
      </Grid.Col>
      {blocker.status === 'blocked' && <LeaveDialog onStay={blocker.reset} onLeave={blocker.proceed} />}
    </Grid>
  );
}

function InWords({ draft, known }: { readonly draft: StrategyDraft; readonly known: StrategyKnowledge }) {
  const definition = known.definitions.find(({ name }) => name === draft.name);
  const parameters = strategyBodyOf(draft, definition).parameters as Readonly<Record<string, string>>;
  const segments = draft.segments.map((id) => known.segments.find((one) => one.id === id)?.name ?? `#${id}`);
  return (
    <Card withBorder padding="md" component="section" aria-label="Who gets the flag">
      <Stack gap="xs">
        <Title order={2} size="h5">
          Who gets the flag
        </Title>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }} aria-live="polite">
          {draft.disabled ? 'Nobody by this strategy: it is disabled. Otherwise: ' : ''}
          {strategyInWords({ ...draft, parameters, segments })}.
        </Text>
        {draft.variants.length > 0 && <VariantShares variants={shareOut(draft.variants)} />}
      </Stack>
    </Card>
  );
}

interface LeaveProps {
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

function LeaveDialog({ onStay, onLeave }: LeaveProps) {
  return (
    <Dialog onClose={onStay} title="Leave without saving?">
      <Stack>
        <Text size="sm">What you changed here is lost.</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onStay}>
            Stay
          </Button>
          <Button color="red" onClick={onLeave}>
            Leave
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

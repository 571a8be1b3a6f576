import { Alert, Button, Card, Grid, Group, Modal, Stack, Text, Title } from '@mantine/core';
import { useBlocker, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useMay } from '../../lib/me.ts';
import { byPath } from '../../lib/problems.ts';
import { ButtonLink } from '../../ui/link.tsx';
import { ReviewButtons } from '../change-requests/review-buttons.tsx';
import { useFlagChange } from '../change-requests/use-change.ts';
import { VariantShares } from '../variants/variant-shares.tsx';
import { shareOut } from '../variants/weights.ts';
import { type StrategyDraft, strategyBodyOf, strategyProblems } from './draft.ts';
import { strategyInWords } from './in-words.ts';
import { StrategyForm, type StrategyKnowledge } from './strategy-form.tsx';

interface Props {
  readonly projectId: string;
  readonly featureName: string;
  readonly environment: string;
  /** The one that is edited; a new one is made without. */
  readonly strategyId?: string | undefined;
  readonly initial: StrategyDraft;
  readonly known: StrategyKnowledge;
}

/** Makes or edits a strategy. What was typed stays whatever happens, and leaving without saving is asked about. */
export function StrategyEditor({ projectId, featureName, environment, strategyId, initial, known }: Props) {
  const place = { projectId, environment };
  const [draft, setDraft] = useState(initial);
  const { problems, refusal, pending, save } = useSave({ projectId, featureName, environment, strategyId, known });
  const may = useMay();
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
  const permission = strategyId === undefined ? 'CREATE_FEATURE_STRATEGY' : 'UPDATE_FEATURE_STRATEGY';
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
          <Group gap="sm">
            <ReviewButtons
              place={place}
              label={strategyId === undefined ? 'Add strategy' : 'Save strategy'}
              permitted={may(permission, { project: projectId, environment })}
              saving={pending}
              onSave={(directly) =>
                save(draft, directly, () => {
                  left.current = true;
                })
              }
            />
            <ButtonLink
              to="/projects/$projectId/features/$featureName"
              params={{ projectId, featureName }}
              variant="default"
            >
              Cancel
            </ButtonLink>
          </Group>
        </Stack>
      </Grid.Col>
      <LeaveModal
        opened={blocker.status === 'blocked'}
        onStay={() => blocker.reset?.()}
        onLeave={() => blocker.proceed?.()}
      />
    </Grid>
  );
}

function useSave({ projectId, featureName, environment, strategyId, known }: Omit<Props, 'initial'>) {
  const change = useFlagChange({ projectId, environment });
  const navigate = useNavigate();
  const [found, setFound] = useState<Readonly<Record<string, string>>>({});
  const [refusal, setRefusal] = useState<string>();
  const save = (draft: StrategyDraft, directly: boolean, onSaved: () => void) => {
    const definition = known.definitions.find(({ name }) => name === draft.name);
    const problems = strategyProblems(draft, definition);
    setFound(problems);
    setRefusal(undefined);
    if (Object.keys(problems).length > 0) return;
    const body = strategyBodyOf(draft, definition);
    change.mutate(
      {
        change:
          strategyId === undefined
            ? { action: 'addStrategy', feature: featureName, payload: body }
            : { action: 'updateStrategy', feature: featureName, payload: { ...body, id: strategyId } },
        directly,
      },
      {
        onSuccess: () => {
          onSaved();
          void navigate({ to: '/projects/$projectId/features/$featureName', params: { projectId, featureName } });
        },
        onError: (error) => {
          const { paths, rest } = byPath(error);
          setFound(paths);
          setRefusal(rest);
        },
      },
    );
  };
  return { problems: found, refusal, pending: change.isPending, save };
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
  readonly opened: boolean;
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

function LeaveModal({ opened, onStay, onLeave }: LeaveProps) {
  return (
    <Modal opened={opened} onClose={onStay} title="Leave without saving?" centered>
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
    </Modal>
  );
}

import { isoTime, isoTimeOrNull } from '#kernel/clock.ts';
import type { Db, Tx } from '#storage/tx.ts';

/** The feedback prompts and splash screens that a user has seen. */
export interface InterfaceState {
  readonly feedback: FeedbackPrompt[];
  readonly splash: Record<string, boolean>;
}

/** A prompt for feedback that a user has seen. */
export interface FeedbackPrompt {
  readonly userId: number;
  readonly feedbackId: string;
  readonly neverShow: boolean;
  /** ISO 8601; null when the user gave no feedback. */
  readonly given: string | null;
}

export async function interfaceStateOf(db: Db, userId: number): Promise<InterfaceState> {
  const [feedback, seen] = await Promise.all([
    db.selectFrom('opinions_asked').selectAll().where('user_id', '=', userId).orderBy('feedback').execute(),
    db.selectFrom('splashes_seen').select('splash').where('user_id', '=', userId).orderBy('splash').execute(),
  ]);
  return {
    feedback: feedback.map((row) => ({
      userId,
      feedbackId: row.feedback,
      neverShow: row.never_show === 1,
      given: isoTimeOrNull(row.given_at),
    })),
    splash: Object.fromEntries(seen.map(({ splash }) => [splash, true])),
  };
}

export async function saveSplashSeen(tx: Tx, userId: number, splash: string): Promise<void> {
  await tx.db
    .insertInto('splashes_seen')
    .values({ user_id: userId, splash })
    .onConflict((conflict) => conflict.columns(['user_id', 'splash']).doNothing())
    .execute();
}

export async function saveFeedbackPrompt(
  tx: Tx,
  userId: number,
  feedback: string,
  neverShow: boolean,
  givenAt: number | null,
): Promise<void> {
  const values = { never_show: neverShow ? 1 : 0, given_at: givenAt };
  await tx.db
    .insertInto('opinions_asked')
    .values({ user_id: userId, feedback, ...values })
    .onConflict((conflict) => conflict.columns(['user_id', 'feedback']).doUpdateSet(values))
    .execute();
}

export interface Feedback {
  readonly category: string;
  readonly userType: string | null;
  readonly difficultyScore: number | null;
  readonly positive: string | null;
  readonly areasForImprovement: string | null;
}

export async function insertFeedback(tx: Tx, feedback: Feedback) {
  const { id } = await tx.db
    .insertInto('opinions')
    .values({
      created_at: tx.now,
      category: feedback.category,
      user_type: feedback.userType,
      difficulty_score: feedback.difficultyScore,
      positive: feedback.positive,
      areas_for_improvement: feedback.areasForImprovement,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { ...feedback, id, createdAt: isoTime(tx.now) };
}

/** Returns the newest `limit` entries, the newest first. */
export async function listFeedback(db: Db, limit: number) {
  const rows = await db.selectFrom('opinions').selectAll().orderBy('id', 'desc').limit(limit).execute();
  return rows.map((row) => ({
    id: row.id,
    createdAt: isoTime(row.created_at),
    category: row.category,
    userType: row.user_type,
    difficultyScore: row.difficulty_score,
    positive: row.positive,
    areasForImprovement: row.areas_for_improvement,
  }));
}

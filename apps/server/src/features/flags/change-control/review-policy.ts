export interface ReviewPolicy {
  /**
   * True when review cannot be skipped: SKIP_CHANGE_REQUEST has no effect, and review settings cannot be relaxed
   * directly. A second person approves, and acknowledges each use of break glass.
   */
  readonly binding: boolean;
}

import type { FrameAction } from './frame-action'

/** What the user menu opens above Download, Settings and Log out, in this order. */
export const userActions: FrameAction[] = []

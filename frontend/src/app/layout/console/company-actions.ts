import type { FrameAction } from './frame-action'

/** What the company badge in the toolbar opens, in this order. */
export const companyActions: FrameAction[] = []

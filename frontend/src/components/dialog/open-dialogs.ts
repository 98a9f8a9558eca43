import { createStore } from '@/lib/create-store'

/** The modal dialogs that are open, the topmost last. Everything outside the topmost is inert. */
export const openDialogs = createStore<readonly HTMLDialogElement[]>([])

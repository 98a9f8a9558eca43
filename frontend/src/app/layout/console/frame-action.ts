import type { ComponentType } from 'react'
import type { User } from '@/api/session'
import type { ScreenIcon } from './screens'

export type FrameDialogProps = { open: boolean; onClose: () => void }

/** An entry of a toolbar menu that opens a dialog of some feature. Search offers it too. */
export type FrameAction = {
  id: string
  /** Key in the console's texts, such as `companyActions.edit`. */
  labelKey: string
  Icon: ScreenIcon
  /** Left out: for everybody who is signed in. */
  permission?: string
  /** May be `lazy(...)`: it is mounted inside a Suspense boundary when first opened. */
  Dialog: ComponentType<FrameDialogProps>
}

export function actionsOf(user: User, actions: readonly FrameAction[]): FrameAction[] {
  return actions.filter(({ permission }) => !permission || user.permissions.includes(permission))
}

import type { ReactNode } from 'react'
import { Button } from '../Button'
import { Actions } from './layout'

type Props = {
  submitLabel: string
  submitIcon?: ReactNode
  cancelLabel: string
  onCancel: () => void
  pending: boolean
  danger?: boolean
  disabled?: boolean
  /** Why the form cannot be submitted now; null while it can. */
  disabledReason?: string | null
}

/** The two buttons at the end of a form in a dialog. */
export function FormActions({ submitLabel, submitIcon, cancelLabel, onCancel, pending, ...submit }: Props) {
  return (
    <Actions>
      <Button variant="text" onClick={onCancel} disabled={pending}>
        {cancelLabel}
      </Button>
      <Button type="submit" icon={submitIcon} pending={pending} {...submit}>
        {submitLabel}
      </Button>
    </Actions>
  )
}

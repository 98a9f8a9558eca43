import type { ReactNode, SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from './Form'
import { FormActions } from './FormActions'
import { Lead } from './layout'
import { MutationError } from './MutationError'

type Props = {
  lead?: ReactNode
  /** The call that submits it. */
  mutation: { isPending: boolean; error: unknown; failedAt: number }
  /** The error that is shown when the server gives none; left out where errors are shown elsewhere. */
  failure?: string | undefined
  submitLabel?: string
  submitIcon?: ReactNode
  cancelLabel?: string
  /** Why the form cannot be submitted now; null while it can. */
  disabledReason: string | null
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => unknown
  onCancel: () => void
  children: ReactNode
}

/** A form that fills a dialog. */
export function DialogForm({ lead, mutation, failure, children, disabledReason, onSubmit, onCancel, ...words }: Props) {
  const { t } = useTranslation()
  const { submitLabel = t('actions.save'), submitIcon, cancelLabel = t('actions.cancel') } = words
  return (
    <Form onSubmit={(event) => (disabledReason ? undefined : onSubmit(event))}>
      {lead ? <Lead>{lead}</Lead> : null}
      {failure ? <MutationError mutation={mutation} fallback={failure} /> : null}
      {children}
      <FormActions
        submitLabel={submitLabel}
        submitIcon={submitIcon}
        cancelLabel={cancelLabel}
        onCancel={onCancel}
        pending={mutation.isPending}
        disabledReason={disabledReason}
      />
    </Form>
  )
}

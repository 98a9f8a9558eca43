import type { ReactNode, SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from './Form'
import { FormActions } from './FormActions'

type Props = {
  form: {
    formState: { isDirty: boolean; isValid: boolean }
    mutation: { isPending: boolean }
    onSubmit: (event: SubmitEvent<HTMLFormElement>) => void
  }
  /** What has to be entered before the form can be saved. */
  required: string
  onCancel: () => void
  children: ReactNode
}

/** A form in a dialog that changes something stored. */
export function EditForm({ form: { formState, mutation, onSubmit }, required, onCancel, children }: Props) {
  const { t } = useTranslation('auth')
  const { isDirty, isValid } = formState
  const incomplete = isValid ? null : required
  return (
    <Form onSubmit={onSubmit}>
      {children}
      <FormActions
        submitLabel={t('common:actions.save')}
        cancelLabel={t('common:actions.cancel')}
        onCancel={onCancel}
        pending={mutation.isPending}
        disabledReason={isDirty ? incomplete : t('nothingChanged')}
      />
    </Form>
  )
}

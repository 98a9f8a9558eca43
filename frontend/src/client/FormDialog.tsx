import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog, DialogContent } from '@/components/dialog/Dialog'
import { FormActions } from '@/components/forms/FormActions'
import { Form } from '@/components/forms/Form'
import { FormError } from '@/components/forms/layout'
import { useCall } from './use-call'

type Props = {
  title: string
  submit: string
  danger?: boolean
  disabled?: boolean
  /** The fields; a function is given the code of the last submission's error. */
  children: ReactNode | ((errorCode: string | undefined) => ReactNode)
  onClose: () => void
  onSubmit: () => Promise<void>
}

/** A form in a dialog that shows why its submission failed. */
export function FormDialog({ title, submit, danger = false, disabled = false, children, onClose, onSubmit }: Props) {
  const { t } = useTranslation()
  const { run, isPending, error } = useCall()
  return (
    <Dialog title={title} onClose={onClose} closesOnOutsideClick={false}>
      <DialogContent>
        <Form
          onSubmit={() => {
            if (!disabled && !isPending) void run(onSubmit)
          }}
        >
          {typeof children === 'function' ? children(error?.code) : children}
          {error ? <FormError takesFocus={false}>{error.text}</FormError> : null}
          <FormActions
            submitLabel={submit}
            cancelLabel={t('actions.cancel')}
            onCancel={onClose}
            pending={isPending}
            danger={danger}
            disabled={disabled}
          />
        </Form>
      </DialogContent>
    </Dialog>
  )
}

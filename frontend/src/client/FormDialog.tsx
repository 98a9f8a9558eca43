import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NativeDialog } from '@/components/dialog/NativeDialog'
import { FormActions } from '@/components/forms/FormActions'
import formStyles from '@/components/forms/form.module.css'
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
    <NativeDialog title={title} onCancel={onClose}>
      <form
        className={formStyles.dialogForm}
        onSubmit={(event) => {
          event.preventDefault()
          if (!disabled && !isPending) void run(onSubmit)
        }}
      >
        {typeof children === 'function' ? children(error?.code) : children}
        {error ? (
          <p role="alert" className={formStyles.error}>
            {error.text}
          </p>
        ) : null}
        <FormActions
          submitLabel={submit}
          cancelLabel={t('actions.cancel')}
          onCancel={onClose}
          pending={isPending}
          danger={danger}
          disabled={disabled}
        />
      </form>
    </NativeDialog>
  )
}

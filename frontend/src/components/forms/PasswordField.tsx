import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field, type FieldProps } from './Field'
import { RevealButton } from './RevealButton'

type Props = Omit<FieldProps, 'type' | 'end'>

export function PasswordField(props: Props) {
  const { t } = useTranslation('auth')
  const [shown, setShown] = useState(false)
  return (
    <Field
      dir="ltr"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...props}
      type={shown ? 'text' : 'password'}
      end={<RevealButton label={t('fields.showPassword')} shown={shown} onToggle={() => setShown(!shown)} />}
    />
  )
}

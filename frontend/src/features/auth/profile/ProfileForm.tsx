import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import type { User } from '@/api/session'
import { Button } from '@/components/Button'
import { applyServerErrors } from '@/components/forms/apply-server-errors'
import { Field, SelectField } from '@/components/forms/Field'
import styles from '@/components/forms/form.module.css'
import { MutationError } from '@/components/forms/FormError'
import { requiredField } from '@/components/forms/schemas'
import { toast } from '@/components/toast'
import { useSecretMutation } from '@/hooks/use-secret-mutation'
import { changeLanguage } from '@/i18n/i18n'
import { LANGUAGE_NAMES, LANGUAGES } from '@/i18n/languages'
import { updateProfile, type ProfileUpdate } from '../api'
import own from './profile.module.css'

const schema = z.object({ firstName: requiredField, lastName: requiredField, language: z.enum(LANGUAGES) })

type Props = { user: User; onChange: (view: ProfileView) => void; onClose: () => void }

export function ProfileForm({ user, onChange, onClose }: Props) {
  const { t } = useTranslation('auth')
  const { firstName, lastName, language } = user
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(schema),
    mode: 'onTouched',
    defaultValues: { firstName, lastName, language },
  })
  const { errors } = formState
  const save = useSecretMutation(async (profile: ProfileUpdate) => {
    try {
      await updateProfile(profile)
    } catch (error) {
      if (applyServerErrors(error, setError, { firstName: 'firstName', lastName: 'lastName' })) return
      throw error
    }
    if (profile.language !== language) await changeLanguage(profile.language)
    toast.success(t('profile.saved'))
    onClose()
  })
  const submit = handleSubmit(async (profile) => {
    await save.mutate(profile)
  })

  return (
    <form className={styles.dialogForm} noValidate onSubmit={(event) => void submit(event)}>
      <MutationError mutation={save} fallback={t('profile.failed')} />
      <div className={own.names}>
        <Field
          label={t('fields.firstName')}
          autoComplete="given-name"
          maxLength={100}
          error={errors.firstName?.message}
          {...register('firstName')}
        />
        <Field
          label={t('fields.lastName')}
          autoComplete="family-name"
          maxLength={100}
          error={errors.lastName?.message}
          {...register('lastName')}
        />
      </div>
      <SelectField label={t('fields.language')} hint={t('profile.languageHint')} {...register('language')}>
        {LANGUAGES.map((name) => (
          <option key={name} value={name} lang={name}>
            {LANGUAGE_NAMES[name]}
          </option>
        ))}
      </SelectField>
      <div className={own.contacts}>
        <ContactRow
          label={t('fields.email')}
          value={user.email_address}
          note={user.emailConfirmed ? undefined : t('profile.unconfirmed')}
          onChange={() => onChange('email')}
        />
        <ContactRow label={t('fields.phone')} value={user.phoneNumber} onChange={() => onChange('phone')} />
      </div>
      <div className={styles.actions}>
        <Button variant="text" onClick={onClose}>
          {t('profile.close')}
        </Button>
        <Button
          type="submit"
          pending={save.isPending}
          disabledReason={formState.isDirty ? null : t('profile.nothingChanged')}
        >
          {t('profile.save')}
        </Button>
      </div>
    </form>
  )
}

type ContactRowProps = { label: string; value: string; note?: string | undefined; onChange: () => void }

function ContactRow({ label, value, note, onChange }: ContactRowProps) {
  const { t } = useTranslation('auth')
  return (
    <div className={own.contact}>
      <div className={own.words}>
        <span className={own.label}>{label}</span>
        <bdi dir="ltr" className={own.value}>
          {value}
        </bdi>
        {note ? <span className={own.note}>{note}</span> : null}
      </div>
      <Button variant="text" onClick={onChange} aria-label={t('profile.changeOf', { what: label })}>
        {t('profile.change')}
      </Button>
    </div>
  )
}

export type ProfileView = 'main' | 'email' | 'phone'

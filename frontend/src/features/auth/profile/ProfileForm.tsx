import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import type { User } from '@/api/session'
import { Button } from '@/components/Button'
import { Field, SelectField } from '@/components/forms/Field'
import { DialogForm } from '@/components/forms/DialogForm'
import { requiredField } from '@/components/forms/schemas'
import { useApiForm } from '@/components/forms/use-api-form'
import { languageOptions } from '@/components/LanguageSelect'
import { Term } from '@/components/Term'
import { toast } from '@/components/toast'
import { useToastMutation } from '@/hooks/use-toast-mutation'
import { changeLanguage } from '@/i18n/i18n'
import { LANGUAGES } from '@/i18n/languages'
import { declineChange, pendingChanges, updateProfile, type PendingChange } from '../api'
import own from './profile.module.css'

const schema = z.object({ firstName: requiredField, lastName: requiredField, language: z.enum(LANGUAGES) })

export type ContactKind = PendingChange['kind']

/** `proposed` is empty unless the team leader proposed a contact that is going to be confirmed. */
type Props = {
  user: User
  onChange: (kind: ContactKind, proposed: string) => void
  onWords: () => void
  onClose: () => void
}

export function ProfileForm({ user, onChange, onWords, onClose }: Props) {
  const { t } = useTranslation(['auth', 'security'])
  const { firstName, lastName, language } = user
  const { field, formState, mutation, onSubmit } = useApiForm({
    schema,
    defaultValues: { firstName, lastName, language },
    submit: async (profile) => {
      await updateProfile(profile)
      if (profile.language !== language) await changeLanguage(profile.language)
      toast.success(t('profile.saved'))
      onClose()
    },
  })
  const pending = useQuery(pendingChanges)
  const proposed = (kind: ContactKind) => pending.data?.find((change) => change.kind === kind)

  return (
    <DialogForm
      mutation={mutation}
      failure={t('profile.failed')}
      cancelLabel={t('common:actions.close')}
      disabledReason={formState.isDirty ? null : t('nothingChanged')}
      onSubmit={onSubmit}
      onCancel={onClose}
    >
      <div className={own.names}>
        <Field label={t('fields.firstName')} autoComplete="given-name" maxLength={100} {...field('firstName')} />
        <Field label={t('fields.lastName')} autoComplete="family-name" maxLength={100} {...field('lastName')} />
      </div>
      <SelectField label={t('fields.language')} hint={t('profile.languageHint')} {...field('language')}>
        {languageOptions}
      </SelectField>
      <div className={own.contacts}>
        <ContactRow
          label={t('fields.email')}
          value={user.email_address}
          note={user.emailConfirmed ? undefined : t('profile.unconfirmed')}
          pending={proposed('email')}
          onChange={(value) => onChange('email', value)}
        />
        <ContactRow
          label={t('fields.phone')}
          value={user.phoneNumber}
          pending={proposed('phone')}
          onChange={(value) => onChange('phone', value)}
        />
        {user.role === 'admin' ? null : (
          <div className={own.contact}>
            <div className={own.words}>
              <span className={own.label}>
                <Term name="sixWords">{t('security:words.title')}</Term>
              </span>
              <span>{t('security:words.purpose')}</span>
            </div>
            <Button variant="text" onClick={onWords} aria-label={t('security:words.showOwn')}>
              {t('security:words.show')}
            </Button>
          </div>
        )}
      </div>
      {pending.isError ? <p className={own.note}>{t('profile.pendingFailed')}</p> : null}
    </DialogForm>
  )
}

type ContactRowProps = {
  label: string
  value: string
  note?: string | undefined
  pending: PendingChange | undefined
  onChange: (proposed: string) => void
}

function ContactRow({ label, value, note, pending, onChange }: ContactRowProps) {
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
      <Button variant="text" onClick={() => onChange('')} aria-label={t('profile.changeOf', { what: label })}>
        {t('common:actions.change')}
      </Button>
      {pending ? <PendingRow change={pending} onConfirm={() => onChange(pending.value)} /> : null}
    </div>
  )
}

function PendingRow({ change: { kind, value, askedBy }, onConfirm }: { change: PendingChange; onConfirm: () => void }) {
  const { t } = useTranslation('auth')
  const decline = useToastMutation(() => declineChange(kind), {
    success: t('profile.declined'),
    failure: t('profile.declineFailed'),
    refresh: [pendingChanges.queryKey],
  })
  return (
    <div className={own.pending}>
      <div className={own.words}>
        <span className={own.note}>{t('profile.proposed', { name: askedBy })}</span>
        <bdi dir="ltr" className={own.value}>
          {value}
        </bdi>
      </div>
      <Button variant="text" onClick={onConfirm} aria-label={t('profile.confirmOf', { what: value })}>
        {t('profile.confirm')}
      </Button>
      <Button
        variant="text"
        pending={decline.isPending}
        onClick={() => void decline.mutate()}
        aria-label={t('profile.declineOf', { what: value })}
      >
        {t('profile.decline')}
      </Button>
    </div>
  )
}

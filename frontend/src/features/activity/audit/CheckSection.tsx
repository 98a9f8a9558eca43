import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod/mini'
import { Button } from '@/components/Button'
import { CodeBlock } from '@/components/CodeBlock'
import { Field } from '@/components/forms/Field'
import { Panel, Status } from '@/components/forms/layout'
import { MutationError } from '@/components/forms/MutationError'
import { useApiForm } from '@/components/forms/use-api-form'
import { formatDateTime, formatNumber } from '@/i18n/format'
import { startCheck, STREAM_KEY, type AuditStream, type Check } from './api'

/** Asks whether a record was removed or changed. */
export function CheckSection({ stream: { head, check } }: { stream: AuditStream }) {
  const { t } = useTranslation('audit')
  const id = useId()
  return (
    <section className="t-grid" aria-labelledby={id}>
      <h3 id={id}>{t('check.title')}</h3>
      <p className="t-soft">{t('check.text')}</p>
      {head ? <CodeBlock text={head} caption={t('check.head')} copyLabel={t('check.copy')} /> : null}
      <CheckForm running={check !== null && check.finishedAt === null} />
      {check ? <Result check={check} /> : null}
    </section>
  )
}

const HEAD = /^\s*[1-9]\d{0,17}:[0-9a-fA-F]{64}\s*$/

function CheckForm({ running }: { running: boolean }) {
  const { t } = useTranslation('audit')
  const client = useQueryClient()
  const schema = z.object({
    head: z.string().check(z.refine((text) => text.trim() === '' || HEAD.test(text), t('check.invalid'))),
  })
  const { register, formState, mutation, onSubmit } = useApiForm({
    schema,
    defaultValues: { head: '' },
    serverNames: { head: 'head' },
    submit: async ({ head }) => {
      await startCheck(head.trim() || null)
      await client.invalidateQueries({ queryKey: STREAM_KEY })
    },
  })
  return (
    <form className="t-grid" noValidate onSubmit={onSubmit}>
      <MutationError mutation={mutation} fallback={t('check.failed')} />
      <Field
        {...register('head')}
        label={t('check.kept')}
        hint={t('check.keptHint')}
        error={formState.errors.head?.message}
        dir="ltr"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
      />
      <Button type="submit" pending={mutation.isPending || running}>
        {t('check.action')}
      </Button>
    </form>
  )
}

function Result({ check }: { check: Check }) {
  const { t } = useTranslation('audit')
  const { finishedAt, checked, problems, moreProblems, removedUntil, headTooOld } = check
  if (!finishedAt) return <Status role="status">{t('check.running')}</Status>
  const time = formatDateTime(finishedAt)
  const records = formatNumber(checked)
  const isFine = problems.length === 0
  return (
    <Panel role="status" tone={isFine ? 'success' : 'danger'}>
      <strong>{isFine ? t('check.fine', { count: checked, records, time }) : t('check.wrong', { time })}</strong>
      {!isFine ? (
        <ul>
          {problems.map(({ text }) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      ) : null}
      {moreProblems > 0 ? (
        <p>{t('check.more', { count: moreProblems, problems: formatNumber(moreProblems) })}</p>
      ) : null}
      {removedUntil > 0 ? (
        <p className="t-soft">{t('check.removed', { sequence: formatNumber(removedUntil) })}</p>
      ) : null}
      {headTooOld ? <p>{t('check.tooOld')}</p> : null}
    </Panel>
  )
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/Button'
import { ErrorState } from '@/components/ErrorState'
import { CheckField, Field } from '@/components/forms/Field'
import { Lead } from '@/components/forms/layout'
import { Skeleton } from '@/components/Skeleton'
import { toast } from '@/components/toast'
import { formatBytes } from '@/i18n/format'
import { get, post, type Schemas } from '../api'
import type { SpaceInfo } from '../client-state'
import { Failure } from '../Failure'
import { FormDialog } from '../FormDialog'
import { useErrorText } from '../use-call'
import { useVerified } from '../use-verified'
import styles from './SpacePage.module.css'

type Settings = Schemas['SpaceSettings']
type Keep = Schemas['KeepRules']

const RULES = ['allDays', 'daily', 'weekly', 'monthly', 'yearly'] as const
const MAX_COUNT = 0xffff

/** Compression and the versions that are kept; only the space's leader changes them. */
export function SpaceSettings({ space }: { space: SpaceInfo }) {
  const { t } = useTranslation('client')
  const textOf = useErrorText()
  const { data, error, refetch } = useQuery({
    queryKey: ['space-settings', space.id, space.revision],
    queryFn: () => get('/space-settings', { space: space.id }),
    placeholderData: (previous) => previous,
  })
  if (error) return <ErrorState text={textOf(error)} onRetry={() => void refetch()} />
  if (!data) return <Skeleton label={t('about.loading')} heights={[240]} />
  return <SettingsForm key={JSON.stringify(data)} space={space} settings={data} />
}

function SettingsForm({ space, settings }: { space: SpaceInfo; settings: Settings }) {
  const { t } = useTranslation('client')
  const [isCompressed, setCompressed] = useState(settings.isCompressed)
  const [keep, setKeep] = useState(settings.keep)
  const [asked, setAsked] = useState<'save' | 'prune' | null>(null)
  const { isLeader } = settings
  const isDefault = RULES.every((rule) => !keep[rule])
  const isChanged = isCompressed !== settings.isCompressed || RULES.some((rule) => keep[rule] !== settings.keep[rule])
  return (
    <section className={`t-card ${styles.form}`}>
      <h2>{t('rules.title')}</h2>
      {isLeader ? null : <p className="t-soft">{t('rules.readOnly')}</p>}
      <CheckField
        label={t('rules.compress')}
        checked={isCompressed}
        disabled={!isLeader}
        onChange={({ target }) => setCompressed(target.checked)}
      />
      <fieldset className={styles.rules} aria-labelledby="rules">
        <legend id="rules">
          <strong>{t('rules.keep')}</strong>
          <p className="t-soft">{t(isDefault ? 'rules.default' : 'rules.hint')}</p>
        </legend>
        {RULES.map((rule) => (
          <Field
            key={rule}
            type="number"
            min={0}
            max={MAX_COUNT}
            label={t(`rules.${rule}`)}
            value={keep[rule]}
            readOnly={!isLeader}
            onChange={({ target }) => setKeep({ ...keep, [rule]: countOf(target.value) })}
          />
        ))}
      </fieldset>
      {isLeader ? (
        <div className="t-line">
          <Button disabled={!isChanged} onClick={() => setAsked('save')}>
            {t('rules.save')}
          </Button>
          <Button variant="outlined" disabled={isChanged} onClick={() => setAsked('prune')}>
            {t('rules.prune')}
          </Button>
        </div>
      ) : null}
      {asked ? (
        <RulesDialog space={space.id} settings={{ isCompressed, keep }} action={asked} onClose={() => setAsked(null)} />
      ) : null}
    </section>
  )
}

function countOf(text: string): number {
  return Math.min(MAX_COUNT, Math.max(0, Math.trunc(Number(text)) || 0))
}

type DialogProps = {
  space: string
  settings: { isCompressed: boolean; keep: Keep }
  action: 'save' | 'prune'
  onClose: () => void
}

/** Says which versions the rules delete before they are saved or act. */
function RulesDialog({ space, settings, action, onClose }: DialogProps) {
  const { t } = useTranslation('client')
  const textOf = useErrorText()
  const client = useQueryClient()
  const { verified, dialog } = useVerified()
  const { keep } = settings
  const { data, error } = useQuery({
    queryKey: ['prune', space, keep],
    queryFn: () => post('/prune/preview', { space, keep }),
    gcTime: 0,
  })
  const isNothing = data?.versions === 0 && data.packs === 0
  return (
    <>
      <FormDialog
        title={t(action === 'save' ? 'rules.saveTitle' : 'rules.pruneTitle')}
        submit={t(action === 'save' ? 'rules.save' : 'rules.prune')}
        danger={action === 'prune'}
        disabled={!data || (action === 'prune' && isNothing)}
        onClose={onClose}
        onSubmit={() =>
          verified(async () => {
            if (action === 'save') await post('/space-settings', { space, ...settings })
            else await post('/prune', { space })
            await client.invalidateQueries({ queryKey: ['space-settings'] })
            toast.success(t(action === 'save' ? 'rules.saved' : 'rules.pruned'))
            onClose()
          })
        }
      >
        {data ? (
          <Lead>
            {isNothing
              ? t('rules.nothing')
              : t(action === 'save' ? 'rules.would' : 'rules.now', {
                  count: data.versions,
                  size: formatBytes(data.bytes),
                })}
          </Lead>
        ) : error ? (
          <Failure text={textOf(error)} />
        ) : (
          <Skeleton label={t('about.loading')} heights={[48]} />
        )}
      </FormDialog>
      {dialog}
    </>
  )
}

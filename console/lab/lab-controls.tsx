import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { SOURCE_TYPES } from '../../src/domain/chunks/chunk.js';
import { Choice } from '../shared/choice.js';
import { change } from '../shared/place.js';
import { typeName } from '../shared/text.js';
import type { LabState, Mode } from './lab-state.js';

/** The settings of the search lab. */
export function LabControls({ state }: { readonly state: LabState }) {
  const { first, second } = state;
  return (
    <details class="settings" open={matchMedia('(min-width: 52rem)').matches}>
      <summary>Search settings</summary>
      <div class="controls">
        <ModeFields mode={first} suffix="" title={second ? 'First' : ''} />
        {second && (
          <ModeFields mode={second} suffix="2" title="Second">
            <Choice label="Profile" name="profile2" value={second.profile} options={PROFILES} />
          </ModeFields>
        )}
        <div class="group">
          <NumberField label="Token budget" name="tokens" value={state.tokens} />
          <NumberField label="Results" name="results" value={state.results} />
        </div>
        <AlsoField also={state.also} />
        <TypeFields types={state.types} />
        <label class="check">
          <input
            type="checkbox"
            checked={second !== undefined}
            onChange={({ currentTarget }) => change(comparison(currentTarget.checked))}
          />
          <span>Compare two modes</span>
        </label>
      </div>
    </details>
  );
}

interface ModeFieldsProps {
  readonly mode: Mode;
  readonly suffix: string;
  readonly title: string;
  readonly children?: ComponentChildren;
}

function ModeFields({ mode, suffix, title, children }: ModeFieldsProps) {
  const { fusion, candidates } = DEFAULTS[mode.profile];
  return (
    <fieldset class="group">
      <legend class={title ? '' : 'unseen'}>{title || 'Ranking'}</legend>
      {children}
      <Choice
        label="Fusion"
        name={`fusion${suffix}`}
        value={mode.fusion}
        options={[['', `default (${fusion})`], ...FUSION_CHOICES]}
      />
      <Choice
        label="Candidates"
        name={`candidates${suffix}`}
        value={mode.candidates}
        options={[['', `default (${candidates})`], ...CANDIDATE_CHOICES]}
      />
    </fieldset>
  );
}

const PROFILES = [
  ['reading', 'people and agents (/x/search)'],
  ['specified', 'specification (/search)'],
] as const;

const DEFAULTS = {
  reading: { fusion: 'by score', candidates: 'union' },
  specified: { fusion: 'by rank', candidates: 'keyword' },
} as const;

const FUSION_CHOICES = [
  ['rrf', 'by rank (rrf)'],
  ['blend', 'by score (blend)'],
] as const;

const CANDIDATE_CHOICES = [
  ['keyword', 'found by keyword'],
  ['union', 'by keyword or meaning (union)'],
] as const;

/** The fields that start or end a comparison. It starts with the other profile. */
function comparison(isOn: boolean) {
  const none = { fusion2: '', candidates2: '' };
  return isOn
    ? { ...none, compare: '1', profile2: 'specified' }
    : { ...none, compare: '', profile2: '' };
}

interface NumberFieldProps {
  readonly label: string;
  readonly name: string;
  readonly value: number;
}

function NumberField({ label, name, value }: NumberFieldProps) {
  const [text, setText] = useState(String(value));
  const type = (typed: string) => {
    setText(typed);
    change({ [name]: typed });
  };
  return (
    <label class="field narrow">
      <span>{label}</span>
      <input
        inputMode="numeric"
        value={text}
        onInput={({ currentTarget }) => type(currentTarget.value)}
      />
    </label>
  );
}

function AlsoField({ also }: { readonly also: string }) {
  const [text, setText] = useState(also);
  const type = (typed: string) => {
    setText(typed);
    change({ also: typed });
  };
  return (
    <label class="field other-words">
      <span>In other words</span>
      <input
        value={text}
        maxLength={500}
        placeholder="the question in words that a document would use"
        onInput={({ currentTarget }) => type(currentTarget.value)}
      />
    </label>
  );
}

function TypeFields({ types }: { readonly types: readonly string[] }) {
  const toggle = (type: string) => {
    const chosen = types.includes(type) ? types.filter((one) => one !== type) : [...types, type];
    change({ types: chosen.length === SOURCE_TYPES.length ? '' : chosen.join(',') });
  };
  return (
    <fieldset class="types">
      <legend>Types {types.length === 0 && <small>all</small>}</legend>
      {SOURCE_TYPES.map((type) => (
        <label key={type} class="check" data-type={type}>
          <input type="checkbox" checked={types.includes(type)} onChange={() => toggle(type)} />
          <span>{typeName(type)}</span>
        </label>
      ))}
    </fieldset>
  );
}

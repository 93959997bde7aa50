import { checkFields, type Fields } from '../../schemas/checks.js';
import { projectRequest } from '../../schemas/fields.js';
import {
  changeNoteRequest,
  deleteNoteRequest,
  looseAddNoteRequest,
  looseReplaceNoteRequest,
  noteRequest,
  notesRequest,
} from '../../schemas/notes.js';
import { chunkListRequest } from '../../schemas/overview.js';
import { digestRequest, documentRequest, pageRequest } from '../../schemas/saved.js';
import {
  chunkRequest,
  deleteSourceRequest,
  linesRequest,
  placesRequest,
  sourcesRequest,
} from '../../schemas/sources.js';
import { importRequest } from '../../schemas/upkeep.js';
import type { Service } from '../service/service.js';
import { requireRecord } from './store-methods.js';

/** Saved files, sources, overview and recovery. */
export function knowledgeMethods(service: Service) {
  return {
    ...savedMethods(service),
    /** The indexed sources: list, read and delete them. */
    sources: sources(service),
    /** Lists of the store's chunks. */
    overview: overview(service),
    /** Diagnosis and repair of a store, and import of another database. */
    recovery: recovery(service),
  };
}

function savedMethods(service: Service) {
  const { pages, digests, documents } = service;
  return {
    /** Knowledge that is added by hand. */
    notes: noteMethods(service),
    /** Public web pages as sources; needs the option `fetch`, or a port `pages`. */
    pages: {
      savePage: async (projectPath: string, page: Fields<typeof pageRequest>) =>
        pages.save(checkFields(pageRequest, { ...requireRecord('page', page), projectPath })),
    },
    /** Summaries by the small language model, of a category or of an epic. */
    digests: {
      makeDigest: async (projectPath: string, subject: Fields<typeof digestRequest>) =>
        digests.make(
          checkFields(digestRequest, { ...requireRecord('subject', subject), projectPath }),
        ),
    },
    /** Documents pushed by programs that share no disk with the store. */
    documents: {
      pushDocument: async (projectPath: string, document: Fields<typeof documentRequest>) => {
        const fields = { ...requireRecord('document', document), projectPath };
        return documents.push(checkFields(documentRequest, fields));
      },
    },
  };
}

function noteMethods({ notes, noteReading }: Service) {
  return {
    addNote: async (projectPath: string, note: Fields<typeof looseAddNoteRequest>) =>
      notes.add(checkFields(looseAddNoteRequest, { ...requireRecord('note', note), projectPath })),
    replaceNote: async (
      projectPath: string,
      id: string,
      note: Fields<typeof looseReplaceNoteRequest, 'projectPath' | 'id'>,
    ) => {
      const fields = { ...requireRecord('note', note), projectPath, id };
      return notes.replace(checkFields(looseReplaceNoteRequest, fields));
    },
    /** Changes the given fields, or adds the paragraph `append`; everything else stays. */
    changeNote: async (
      projectPath: string,
      id: string,
      changes: Fields<typeof changeNoteRequest, 'projectPath' | 'id'>,
    ) => {
      const fields = { ...requireRecord('changes', changes), projectPath, id };
      return notes.change(checkFields(changeNoteRequest, fields));
    },
    /** Returns the number of deleted chunks. */
    deleteNote: async (
      projectPath: string,
      id: string,
      options: Fields<typeof deleteNoteRequest, 'projectPath' | 'id'> = {},
    ) =>
      notes.delete(
        checkFields(deleteNoteRequest, { ...requireRecord('options', options), projectPath, id }),
      ),
    /** Lists the notes, newest first. */
    listNotes: async (projectPath: string) =>
      noteReading.list(checkFields(notesRequest, { projectPath })),
    getNote: async (projectPath: string, id: string) =>
      noteReading.get(checkFields(noteRequest, { projectPath, id })),
  };
}

function sources({ sources: of }: Service) {
  return {
    /** Lists the indexed sources and the skipped files. Creates nothing; both lists are empty without a store. */
    listSources: async (projectPath: string, sourceType?: string) =>
      of.list(checkFields(sourcesRequest, { projectPath, sourceType })),
    /** Deletes the chunks of a source, and the file of a note, a web page, a digest or a document. */
    deleteSource: async (projectPath: string, sourceFile: string) =>
      of.delete(checkFields(deleteSourceRequest, { projectPath, sourceFile })),
    /** Returns lines of the current file of a source, counted from 1. */
    readLines: async (
      projectPath: string,
      sourceFile: string,
      range: Fields<typeof linesRequest, 'projectPath' | 'sourceFile'> = {},
    ) => of.lines(checkFields(linesRequest, { ...range, projectPath, sourceFile })),
    /** Returns the lines on which chunks begin, in the order of `ids`; undefined if unknown. */
    linesOf: async (projectPath: string, ids: readonly string[]) =>
      of.findLines(checkFields(placesRequest, { projectPath, ids })),
    /** Returns one chunk with its questions and neighbours. Does not count as a retrieval. */
    getChunk: async (projectPath: string, id: string) =>
      of.chunk(checkFields(chunkRequest, { projectPath, id })),
  };
}

function overview({ chunkLists }: Service) {
  return {
    /** Returns one page of the chunks in the requested order. */
    listChunks: async (projectPath: string, options: Fields<typeof chunkListRequest> = {}) =>
      chunkLists.list(
        checkFields(chunkListRequest, { ...requireRecord('options', options), projectPath }),
      ),
  };
}

function recovery({ doctor, imports }: Service) {
  const examine = (projectPath: string, repair: boolean) =>
    doctor.examine({ ...checkFields(projectRequest, { projectPath }), repair });
  return {
    /** Reports problems and missing data of a project's store; changes nothing. */
    examine: async (projectPath: string) => examine(projectPath, false),
    /** Rebuilds an inconsistent index; sets a damaged database aside and re-indexes the sources. */
    repair: async (projectPath: string) => examine(projectPath, true),
    /**
     * Adds the chunks, vectors, questions and counts of another database, whose path is absolute or relative to the
     * project.
     */
    importDatabase: async (projectPath: string, path: string) =>
      imports.run(checkFields(importRequest, { projectPath, path })),
  };
}

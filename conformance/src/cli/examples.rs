//! Examples under `--help`.

pub(super) const RUN: &str = "\
Examples:
  dml-cts run --level 3.1 --tier smoke
  dml-cts run 'TOP_K1:*:values' --exclude '*:*:*:type=INT8'
  dml-cts run --clause TOP_K1/ties-ascend --report run.jsonl
  dml-cts run --rerun run.jsonl -v
  dml-cts run --backend exec:./top_k1 --report report.html --report junit.xml --report summary.md
  dml-cts run --shard 1/4 --report 1.jsonl # then: dml-cts report merge
  dml-cts run --shard 1/4 --shard-times timed.jsonl --format json
  dml-cts run --baseline main.jsonl
  dml-cts run --backend exec:./top_k1 --timeout 5 --trace talk.txt
  dml-cts run --memory 64MiB --allow-skip memory # on a small machine
  dml-cts run --timings --batch 1 # time of each case alone
  dml-cts run --backend exec:./top_k1 --save-failures failures
  dml-cts run --backend exec:./top_k1 --expectations known.yaml";

pub(super) const REPORT: &str = "\
Examples:
  dml-cts report render run.jsonl --out report.html
  dml-cts report diff main.jsonl mine.jsonl";

pub(super) const RENDER: &str = "\
Examples:
  dml-cts report render cpu.jsonl wgpu.jsonl --out report.html # backends side by side
  dml-cts report render run.jsonl --out summary.md             # for the summary of a CI step
  dml-cts report render run.jsonl --out junit.xml
  dml-cts report render run.jsonl --out summary.md --baseline main.jsonl # new failures first

Exit codes: 0 written, 2 usage error or invalid file, 3 a run was cut short or edited (the document says so).";

pub(super) const CONFORMS: &str = "\
Examples:
  dml-cts report conforms cpu.jsonl mine.jsonl
  dml-cts report conforms cpu.jsonl mine.jsonl --into docs/conforms.md # between its markers";

pub(super) const REPRO: &str = "\
Examples:
  dml-cts repro failures/top_k1-tie-order.json --backend exec:./top_k1";

pub(super) const FUZZ: &str = "\
Examples:
  dml-cts fuzz --backend exec:./top_k1 --minutes 10 --save-failures failures
  dml-cts fuzz 'TOP_K1:5.0:*:type=FLOAT16' --cases 20000 --seed 3";

pub(super) const LIST: &str = "\
Examples:
  dml-cts list 'TOP_K1:2.1:values'
  dml-cts list '*:*:*:type=INT8,k=1' --count";

pub(super) const SHOW: &str = "\
Examples:
  dml-cts show TOP_K1:2.1:examples:example=largest-two
  dml-cts show TOP_K1/axis-in-range
  dml-cts show TOP_K1:2.1:examples:example=largest-two --export json > case.json
  dml-cts show TOP_K1/axis-in-range --pages my-copy # with the sentence it cites
  dml-cts show TOP_K1";

pub(super) const VALIDATE: &str = "\
Examples:
  dml-cts validate topk.json --level 2.1
  dml-cts validate - # standard input";

pub(super) const COMPUTE: &str = "\
Examples:
  dml-cts compute case.json
  dml-cts compute descriptor.json --inputs arrays.npz --npz expected.npz
  dml-cts compute --against vectors # *.json and *.yaml of the folder

Exit codes: 0 computed, or all vectors agree; 1 a vector differs; 2 usage error, invalid file or
descriptor, or a meaning without a value; 3 no vector was compared. Formats: docs/compute.md.";

pub(super) const BACKENDS: &str = "\
Examples:
  dml-cts backends";

pub(super) const WORKER: &str = "\
Examples:
  dml-cts worker --backend cpu";

pub(super) const PROTOCOL: &str = "\
Examples:
  dml-cts protocol check exec:./top_k1";

pub(super) const COMPLETIONS: &str = "\
Examples:
  dml-cts completions bash > ~/.local/share/bash-completion/completions/dml-cts
  dml-cts completions fish > ~/.config/fish/completions/dml-cts.fish";

pub(super) const SPEC: &str = "\
Examples:
  dml-cts spec check
  dml-cts spec lock --check";

pub(super) const CHECK: &str = "\
Examples:
  dml-cts spec check
  dml-cts spec check --spec my-spec";

pub(super) const IMPORT: &str = "\
Examples:
  dml-cts spec import pages/*top_k1* --check   # did anything normative change?
  dml-cts spec import pages/*top_k1* --out spec/operators/top_k1.yaml
  dml-cts spec import pages --out drafts       # one file per operator, in an existing folder
  dml-cts spec import ns-directml-dml_top_k1_operator_desc.md --facts
  dml-cts spec import pages --lint # every *.md and *.txt in the folder
  dml-cts spec import pages --lint --schema operator_fields.tsv --schema operators.tsv

Exit codes: 0 done, and nothing changed or was found; 1 something changed (--check), or a page has
mistakes (--lint); 2 usage error or unreadable page.";

pub(super) const COVERAGE: &str = "\
Examples:
  dml-cts spec coverage TOP_K1 --all";

pub(super) const EXPAND: &str = "\
Examples:
  dml-cts spec expand TOP_K1";

pub(super) const ACCEPT: &str = "\
Examples:
  dml-cts spec accept TOP_K1/axis-in-range --page pages/ns-directml-dml_top_k1_operator_desc.md";

pub(super) const DIGEST: &str = "\
Examples:
  dml-cts spec digest > here.txt
  dml-cts spec digest --tier standard";

pub(super) const DIFF: &str = "\
Examples:
  dml-cts spec diff before/spec spec --format markdown > comment.md # after `git worktree add before HEAD`
  dml-cts spec diff old/top_k1.yaml spec/operators/top_k1.yaml
  dml-cts spec diff old-spec spec --tier smoke --runs run.jsonl
  dml-cts spec diff pages/2020.md pages/2022.md

Exit codes: 0 nothing differs, 1 something does, 2 usage or specification error.";

pub(super) const DOCS: &str = "\
Examples:
  dml-cts spec docs --operator TOP_K1
  dml-cts spec docs --out reference";

pub(super) const EXPORT: &str = "\
Examples:
  dml-cts spec export --format json --operator TOP_K1
  dml-cts spec export --format json --out directml.json";

pub(super) const FIND: &str = "\
Examples:
  dml-cts spec find ns-directml-dml_top_k1_operator_desc#Axis
  dml-cts spec find '#tensor-constraints'
  dml-cts spec find alignment # words, or a sentence copied from the reference

Exit codes: 0 something was found, 1 nothing was, 2 usage or specification error.";

pub(super) const MUTANTS: &str = "\
Examples:
  dml-cts spec mutants TOP_K1
  dml-cts spec mutants --tier standard --format json > mutants.json

A case kills a mutant if an implementation with the mistake fails it in a `run` on the same basis.
A class is the mutants that compute the same. What no case kills is tried on cases that are built
for it: `alive` is what one of these kills, `tolerated` what is accepted where it differs,
`equivalent` what no legal case can show, by a reason in the YAML, and `unproven` all else.

Exit codes: 0 the table was printed, 1 a case shows what none can by the YAML, 2 usage or
specification error.";

pub(super) const LOCK: &str = "\
Examples:
  dml-cts spec lock
  dml-cts spec lock --check --spec my-spec";

pub(super) const FETCH: &str = "\
Examples:
  dml-cts fetch directml";

pub(super) const FETCH_DIRECTML: &str = "\
Examples:
  dml-cts fetch directml --level 6.2 # 25 MB; all together about 375 MB";

pub(super) const VERIFY: &str = "\
Examples:
  dml-cts spec verify --backend directml
  dml-cts spec verify --backend directml TOP_K1/k-below-axis-size
  dml-cts spec verify --backend directml 'TOP_K1:3.1:support'
  dml-cts spec verify --backend directml --tier standard # all descriptors: 15 minutes

Exit codes: 0 every normative clause agrees, 1 one does not, 2 usage, 3 a library is missing.";

pub(super) const EXPECT: &str = "\
Examples:
  dml-cts expect check known.yaml";

pub(super) const EXPECT_CHECK: &str = "\
Examples:
  dml-cts expect check known.yaml other.yaml
  dml-cts expect check known.yaml --date 2027-01-01

Exit codes: 0 no entry has expired, 1 one has, 2 usage error or invalid file.";

pub(super) const EXPECT_UPDATE: &str = "\
Examples:
  dml-cts expect update --from linux.jsonl windows.jsonl --out known.yaml
  dml-cts expect update --from run.jsonl --in known.yaml

Exit codes: 0 done, 2 usage error or invalid file, 3 a run was cut short or edited: nothing is written.";

pub(super) const REPORT_DIFF: &str = "\
Examples:
  dml-cts report diff main.jsonl mine.jsonl
  dml-cts report diff main.jsonl mine.jsonl --allow-new --format markdown > comment.md

Exit codes: 0 nothing regressed, 1 something did, 2 usage, 3 a run is incomplete.";

pub(super) const REPORT_HISTORY: &str = "\
Examples:
  dml-cts report history monday.jsonl tuesday.jsonl wednesday.jsonl

Exit codes: 0 done, 2 usage error or invalid file, 3 a run was cut short or edited: cases may be missing.";

pub(super) const REPORT_MERGE: &str = "\
Examples:
  dml-cts report merge 1.jsonl 2.jsonl 3.jsonl 4.jsonl --out run.jsonl

Exit codes: those of the merged run; 2 if shards overlap or belong to different runs, 3 if
one is missing, cut short or edited.";

pub(super) const GATE: &str = "\
Examples:
  dml-cts gate --level 3.1 --backend exec:./mine --badge conformance.svg
  dml-cts gate --level 5.0 --operator TOP_K1 --expectations known.yaml
  dml-cts gate --level 3.1 --from merged.jsonl

Exit codes: 0 the gate holds, 1 a required case fails, 2 usage, 3 a required case was not judged.";

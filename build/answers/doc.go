// A [Reference] makes the parts of reference pages that follow from
// declarations: every config key, every model type, what is checked against what,
// and where data are from. What is kept by hand are the meaning of a key
// (content/keys.toml), words of the glossary (content/glossary.toml) and what was
// corrected (content/changes.toml).
//
// # Figures
//
// A page of content/pages asks for a part as for any figure; of says which:
//
//	::: figure kind=keys of=width          keys of a group of content/keys.toml
//	::: figure kind=keys of=groups         the groups, linked
//	::: figure kind=keys of=index          all keys by their letters, linked to their lines
//	::: figure kind=keys of=rest           keys that have no words yet
//	::: figure kind=architectures of=decoders
//	                                       decoders, encoders, pairs, several (models that see
//	                                       or hear), towers
//	::: figure kind=accuracy of=classes    classes, real, caches, exceptions, engines, published,
//	                                       and the sections of docs/accuracy.md
//	::: figure kind=sources of=models      models, devices, measurements
//	::: figure kind=devices of=systems     accelerators, systems, fitting: what fits each
//	::: figure kind=glossary of=letters    letters, roles, link, formats, and the groups of
//	                                       content/glossary.toml
//	::: figure kind=changes of=own         corrections of numbers: others, own
//
// The page writes headings and prose around them. A page that shows keys has to
// name every group; [Reference.Groups] lists them for the test.
//
// # What a key changes
//
// It is measured, not written: each key of each type is changed alone in the
// type's default config, and the parts whose parameters change, the cache and the
// FLOPs are noted (effect.go). A key that does nothing there, because another key
// has to be set first, says nothing.
//
// # Numbers in prose
//
// [Reference.Number] gives the counts that the figures show by name, for prose:
// {= reference.types =}, {= reference.keys =}, {= reference.cases =} …

package answers

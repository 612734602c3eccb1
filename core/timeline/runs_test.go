package timeline_test

import (
	"runtime"
	"strconv"
	"testing"

	"llmsize/content/asked"
	"llmsize/content/catalogue"
	"llmsize/core/config"
	"llmsize/core/family/families"
	"llmsize/core/query"
	"llmsize/core/report"
	"llmsize/core/timeline"
	"llmsize/core/work"
)

// TestEveryRunAnswers: every model of the catalogue is followed through runs on one device and on several, or refused;
// nothing stops the program. A stage of a pipeline without a layer of each kind did, and a head of fewer rows than ranks.
func TestEveryRunAnswers(t *testing.T) {
	t.Parallel()
	models, err := catalogue.AllModels()
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range []string{"", "&devices=8&tp=2", "&devices=8&tp=8&sp=on&recompute=full", "&devices=16&pp=2", "&devices=16&pp=4&vp=2&tp=4", "&program=torchtitan&devices=8",
		"&lora-rank=8&weights=nf4", "&method=dpo&devices=4", "&loss=chunked&precision=bf16"} {
		followed, refused := 0, map[string][]string{}
		for i := range models.Models {
			slug := models.Models[i].Slug
			r := asked.Answer(t, "model="+slug+link)
			if r.Training.Fault != nil {
				continue
			}
			func() {
				defer func() {
					if x := recover(); x != nil {
						t.Errorf("%s, %s: %v", slug, link, x)
					}
				}()
				if _, fail := timeline.Training(r, true); fail != nil {
					refused[fail.Problem] = append(refused[fail.Problem], slug)
				} else {
					followed++
				}
				if link != "" {
					return
				}
				if _, fail := timeline.Inference(r, true); fail != nil {
					refused["served: "+fail.Problem] = append(refused["served: "+fail.Problem], slug)
				}
			}()
		}
		t.Logf("%s: %d of %d models are followed", link, followed, len(models.Models))
		for why, slugs := range refused {
			t.Logf("%s: refused %d: %s: %v", link, len(slugs), why, slugs)
		}
		if followed < 40 {
			t.Errorf("%s: %d models are followed", link, followed)
		}
	}
}

// TestLongStepsEnd: steps of models with thousands of layers that cannot be laid out as a few take from the question's
// budget, and end before they fill a page's memory.
func TestLongStepsEnd(t *testing.T) {
	each := `{"attention":{"n_heads_in_group":8},"ffn":{"ffn_mult":0.01}}` // each layer's feed-forward is of its own width
	for i := range 255 {
		each += `,{"attention":{"n_heads_in_group":8},"ffn":{"ffn_mult":` + strconv.Itoa(i+1) + `}}`
	}
	for src, link := range map[string]string{
		`{"model_type":"t5","num_layers":4000,"num_decoder_layers":4000}`:                      "v=1",
		`{"model_type":"nemotron-nas","num_hidden_layers":256,"block_configs":[` + each + `]}`: "v=1",
		`{"model_type":"gemma2","num_hidden_layers":4096,"intermediate_size":500}`:             "v=1&pp=300",
	} {
		cfg, fail := config.ParseObject(src)
		if fail != nil {
			t.Fatal(fail)
		}
		q, _, _ := query.Parse(link)
		r, fail := report.Answer(q, report.Subject{Config: cfg, Work: work.New(0)}, families.Library())
		if fail != nil {
			t.Fatalf("%.80s: %v", src, fail)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 30 { // a picture's list of programs and changes asks as often
			again, fail := r.AgainWithin(q, nil)
			if fail != nil {
				break
			}
			timeline.Training(again, true)
		}
		runtime.ReadMemStats(&after)
		if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 128 {
			t.Errorf("%.80s: thirty steps take %d MB", src, took)
		} else {
			t.Logf("%.80s: thirty steps take %d MB", src, took)
		}
		if r.Model.Work.Err() == nil {
			t.Errorf("%.80s: thirty steps are within the budget", src)
		}
	}
}

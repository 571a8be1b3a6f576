// Command render renders the templates of a Helm chart as `helm template` does: with Go's text/template, the functions of
// Sprig, and of those that Helm adds, `include` and `toYaml`. It reads {"folder", "values", "chart", "release"} as JSON and
// prints the text of each file as JSON.
package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"github.com/ghodss/yaml"
)

type chart struct {
	Folder  string
	Values  map[string]interface{}
	Chart   map[string]interface{}
	Release map[string]interface{}
}

func main() {
	var given chart
	check(json.NewDecoder(os.Stdin).Decode(&given))
	paths, err := filepath.Glob(filepath.Join(given.Folder, "templates", "*"))
	check(err)
	all := template.New("chart").Option("missingkey=zero")
	all.Funcs(functions(all))
	for _, path := range paths {
		text, err := os.ReadFile(path)
		check(err)
		template.Must(all.New(filepath.Base(path)).Parse(string(text)))
	}
	rendered := map[string]string{}
	for _, path := range paths {
		name := filepath.Base(path)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var text bytes.Buffer
		check(all.ExecuteTemplate(&text, name, map[string]interface{}{
			"Values": given.Values, "Chart": given.Chart, "Release": given.Release,
		}))
		// Helm's engine prints nothing for a value that is missing.
		rendered[name] = strings.ReplaceAll(text.String(), "<no value>", "")
	}
	check(json.NewEncoder(os.Stdout).Encode(rendered))
}

func functions(all *template.Template) template.FuncMap {
	functions := sprig.TxtFuncMap()
	// Helm leaves these out, so that a chart cannot read the environment of the person who installs it.
	delete(functions, "env")
	delete(functions, "expandenv")
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text strings.Builder
		err := all.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	functions["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	return functions
}

func check(err error) {
	if err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
}
